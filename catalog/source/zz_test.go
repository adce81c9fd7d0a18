package source
import ("testing";"syscall";"time";"fmt";"context";"bytes";"os";"runtime")
func cpu() time.Duration { var r syscall.Rusage; syscall.Getrusage(0,&r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }
func BenchmarkCPU(b *testing.B){
 for _,form:=range []string{"json","md"} {
 dir:=b.TempDir(); writeBenchFiles(b,dir,form); f:=NewFolder(dir)
 var fl,ld,rd,in time.Duration; minf,minl:=time.Hour,time.Hour
 const N=25
 for i:=0;i<N;i++ { runtime.GC()
  a:=cpu(); w:=time.Now(); readAndHash(b,dir); w2:=time.Since(w); c:=cpu(); w=time.Now(); f.Load(context.Background()); w3:=time.Since(w); d:=cpu(); fl+=c-a; ld+=d-c
  minf=min(minf,w2); minl=min(minl,w3)
  root,_:=os.OpenRoot(dir); es,_:=os.ReadDir(dir); var buf bytes.Buffer
  for _,e:=range es { t:=time.Now(); x,_:=readFile(root,e.Name(),&buf); t2:=time.Now(); interpret(x); rd+=t2.Sub(t); in+=time.Since(t2) }
 }
 fmt.Println(form,"cpu floor",fl/N,"load",ld/N,float64(ld)/float64(fl),"serial wall read",rd/N,"interpret",in/N, "min wall", minf, minl, float64(minl)/float64(minf))
 }
}
