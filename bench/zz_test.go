package bench
import ("testing";"bytes";"strings")
func TestZZ(t *testing.T){
 fs:=Files(5000,1); n:=0; c:=0; r:=0;ab:=0; j:=0; jn:=0; na:=0
 for _,f:=range fs { n+=len(f.Data); l:=bytes.ToLower(f.Data); if bytes.Contains(l,[]byte(CommonTerm)){c++}; if bytes.Contains(l,[]byte(RareTerm)){r++}; if bytes.Contains(l,[]byte(AbsentTerm)){ab++}
  if strings.HasSuffix(f.Path,".json"){j++;jn+=len(f.Data)}
  for _,b:=range f.Data{ if b>127 {na++;break}}}
 t.Log(n/len(fs), c,r,ab, jn/j, (n-jn)/(5000-j), na)
 t.Logf("%s\n%s", fs[2].Path, fs[2].Data)
 t.Logf("%s\n%s", fs[3].Path, fs[3].Data)
}
