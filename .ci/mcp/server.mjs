// The program under test, as a client starts it or finds it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, openSync } from 'node:fs';
import { join } from 'node:path';

// overPipe has talk start the server, in a folder that has no criteria of its own.
// The server may log the size of its tools, once, and nothing else.
export async function overPipe(name, binary, catalog, talk) {
  const log = join(mkdtempSync(join(import.meta.dirname, 'log-')), 'stderr');
  await talk({ command: binary, args: ['serve', '--dir', catalog, '--usage', 'none'], cwd: import.meta.dirname, stderr: openSync(log, 'w') });
  assert.match(readFileSync(log, 'utf8'), /^(time=\S+ level=INFO msg="tools\/list was answered" tools=\d+ bytes=\d+\n)?$/);
  console.log(`ok: ${name}, over a pipe`);
}

// overHTTP starts the server and has talk connect to it. The server must end
// cleanly when it is asked to.
export async function overHTTP(name, binary, catalog, talk) {
  const server = spawn(binary, ['serve', '--dir', catalog, '--usage', 'none', '--http', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit');
  try {
    await talk(await address(server));
  } finally {
    server.kill('SIGTERM');
  }
  assert.deepEqual(await ended, [0, null]);
  console.log(`ok: ${name}, over HTTP`);
}

// address is the URL that the server says on standard error that it listens on.
function address(server) {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (part) => {
      said += part;
      const url = said.match(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
      if (url) resolve(new URL(url[0]));
    });
    server.on('close', () => reject(new Error(`the server named no address: ${said}`)));
  });
}
