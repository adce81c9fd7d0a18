// The official conformance suite against the program over HTTP, in both eras:
// node conformance.mjs BINARY CATALOG. What it finds wrong must be in
// expected-failures.yaml, and what is there must be wrong.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { overHTTP } from './server.mjs';

const here = import.meta.dirname;
const suite = join(here, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

async function run(revision, url) {
  const results = mkdtempSync(join(here, 'results-'));
  const args = [suite, 'server', '--url', url.href, '--requirements', revision,
    '--expected-failures', join(here, 'expected-failures.yaml'), '--output-dir', results];
  const { code, output } = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: results, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }));
  });
  assert.equal(code, 0, output);
  const [total] = output.match(/Total: .*/);
  const expected = output.match(/^ {2}~ /gm).length;
  console.log(`conformance ${revision}: ${total}; ${expected} were expected, the others are not scored`);
}

const [binary, catalog] = process.argv.slice(2);
for (const revision of ['2025-11-25', '2026-07-28']) {
  await overHTTP(`conformance ${revision}`, binary, catalog, (url) => run(revision, url));
}
