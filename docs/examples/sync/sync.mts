// Keeps a folder in step with a catalog: a file ID.md with the body of each entry,
// until its standard input ends.
//
//   node sync.mts FOLDER catalog serve --dir CATALOG
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

type Entry = { id: string; body: string };
type Answer = {
  revision: string; upToDate?: boolean; resync?: boolean;
  items?: Entry[]; added?: Entry[]; updated?: Entry[]; removed?: string[];
};

const [folder, program, ...args] = process.argv.slice(2);
const revision = join(folder, ".revision");
mkdirSync(folder, { recursive: true });
const server = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.on("end", () => server.stdin.end()).resume(); // then the server ends, and we do
server.stdin.on("error", () => {}); // it has ended before it was asked
server.on("exit", () => process.exit(0));

const waiting = new Map<number, (answer: { result?: Answer; error?: unknown }) => void>();
let calls = 0;
let news = false; // whether the catalog has changed since we last asked
let syncing = false;

createInterface({ input: server.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method === "instructions/changed") {
    news = true;
    void follow();
    return;
  }
  waiting.get(message.id)?.(message);
  waiting.delete(message.id);
});

function call(method: string, params: object): Promise<Answer> {
  const id = ++calls;
  server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
  return new Promise((resolve, reject) => {
    waiting.set(id, ({ result, error }) => (error ? reject(new Error(JSON.stringify(error))) : resolve(result!)));
  });
}

// follow syncs for as long as there is news. The catalog may change meanwhile: then
// there is a notification, and it goes on.
async function follow() {
  if (syncing) return;
  syncing = true;
  for (; news; ) {
    news = false;
    await sync();
  }
  syncing = false;
}

async function sync() {
  const since = existsSync(revision) ? readFileSync(revision, "utf8") : "";
  let answer: Answer = { revision: "", resync: true };
  if (since) answer = await call("instructions/diff", { since, fields: ["body"] });
  if (answer.resync) {
    console.error("sync: everything is listed");
    answer = await call("instructions/list", { fields: ["body"], revision: true });
    for (const name of readdirSync(folder).filter((name) => name.endsWith(".md"))) rmSync(join(folder, name));
  }
  for (const entry of [...(answer.items ?? []), ...(answer.added ?? []), ...(answer.updated ?? [])]) {
    writeFileSync(join(folder, entry.id + ".md"), entry.body);
  }
  for (const id of answer.removed ?? []) rmSync(join(folder, id + ".md"), { force: true });
  writeFileSync(revision, answer.revision); // last: until then the folder is as it was before
}

await call("instructions/subscribe", {});
news = true;
await follow();
