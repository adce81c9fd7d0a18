// The MCP Inspector's command line against the program, in every era:
// node inspector.mjs BINARY CATALOG. It is started as its users start it, with
// a configuration file, from the folder where it is installed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;
const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const inspector = `@modelcontextprotocol/inspector@${dependencies['@modelcontextprotocol/inspector']}`;

const [binary, catalog] = process.argv.slice(2);
const home = mkdtempSync(join(here, 'home-')); // where it keeps what it learns
const config = join(home, 'config.json');
const vault = join(home, 'vault');
mkdirSync(vault);
writeFileSync(join(vault, 'tea.md'), 'Boil [[water]] first.\n');
writeFileSync(join(vault, 'water.md'), '---\ntags: [drinks]\n---\nCold.\n');
const toolsets = ['--toolsets', 'notes,tasks', '--notes', vault, '--tasks', join(home, 'tasks.db'), '--tasks-user', 'ann'];
writeFileSync(config, JSON.stringify({ mcpServers: {
  catalog: { command: binary, args: ['serve', '--dir', catalog, '--usage', 'none'] },
  toolsets: { command: binary, args: ['serve', ...toolsets] },
} }));

const tool = (name, args) => ['tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)];
const text = (result) => result.content[0].text;
const body = (result) => result.contents[0].text;
const names = (things) => things.map((thing) => thing.name).sort();

// versions are what must come of each era.
const versions = { legacy: '2025-11-25', auto: '2026-07-28', modern: '2026-07-28' };

// good are the calls that must succeed, and what must be in their results.
const good = [
  [['initialize'], (r, era) => assert.equal(r.protocolVersion, versions[era])],
  [['tools/list', '--strict'], (r) => assert.deepEqual(names(r.tools),
    ['instructions_get', 'instructions_list', 'instructions_search', 'prompt_review', 'usage_track'])],
  [tool('instructions_search', { q: 'secret' }), (r) => assert.match(text(r), /- secrets \[critical\]/)],
  [tool('instructions_get', { id: 'secrets' }), (r) => assert.match(text(r), /Never commit a password/)],
  [tool('instructions_list', { category: 'go' }), (r) => assert.equal(r.structuredContent.count, 1)],
  [tool('prompt_review', { prompt: 'Do it.' }), (r) => assert.ok(r.structuredContent.summary)],
  [tool('usage_track', { id: 'secrets' }), (r) => assert.equal(r.structuredContent.usageCount, 1)],
  [['resources/list'], (r) => assert.deepEqual(r.resources.map((x) => x.uri).sort(), [
    'instruction://go-error-wrapping', 'instruction://index', 'instruction://release', 'instruction://secrets'])],
  [['resources/read', '--uri', 'instruction://secrets'], (r) => assert.match(body(r), /Never commit a password/)],
  [['resources/read', '--uri', 'instruction://index'], (r) => assert.match(body(r), /secrets/)],
  [['resources/templates/list'], (r) => assert.ok(names(r.resourceTemplates).includes('instruction'))],
  [['prompts/list'], (r) => assert.deepEqual(names(r.prompts), ['instructions', 'review-prompt'])],
  [['prompts/get', '--prompt-name', 'instructions', '--prompt-args', 'category=security'],
    (r) => assert.match(r.messages[0].content.text, /Never commit a password/)],
  [['prompts/get', '--prompt-name', 'review-prompt', '--prompt-args', 'prompt=Do it.'],
    (r) => assert.match(r.messages[0].content.text, /Do it\./)],
  [['skills/list', '--verify', '--require-digests'], (r) => {
    assert.equal(r.uri, 'skill://release/SKILL.md');
    assert.equal(r.outcome, 'verified');
  }],
];

// bad are the calls that must fail, and with which exit code: 5 is a tool that
// reports an error, or is not there.
const bad = [
  [tool('instructions_search', { query: 'secret' }), 5],
  [tool('nonesuch', {}), 5],
  [['resources/read', '--uri', 'instruction://nonesuch'], 1],
  [['prompts/get', '--prompt-name', 'nonesuch'], 1],
  [['prompts/get', '--prompt-name', 'review-prompt'], 1],
];

// further are calls of the other toolsets' server, in this order.
const further = [
  [tool('get_node', { id: 'tea.md', depth: 1 }), (r) => assert.equal(r.structuredContent.neighbors[0].direction, 'out')],
  [tool('find_path', { source: 'tea.md', target: 'water.md' }), (r) => assert.equal(r.structuredContent.length, 1)],
  [tool('search_text', { query: 'cold' }), (r) => assert.equal(r.structuredContent.result[0].id, 'water.md')],
  [tool('create_node', { title: 'Green Tea', content: 'See [[tea]].' }), (r) => assert.equal(r.structuredContent.id, 'green-tea.md')],
  [tool('update_node', { id: 'water.md', title: 'Spring Water' }), (r) => assert.equal(r.structuredContent.id, 'spring-water.md')],
  [tool('get_node', { id: 'tea.md' }), (r) => assert.match(r.structuredContent.content, /\[\[spring-water\|Spring Water\]\]/)],
  [tool('add_task', { title: 'Buy tea' }), (r) => assert.ok(r.structuredContent)],
  [tool('list_tasks', {}), (r) => assert.match(text(r), /Buy tea/)],
];

// npx is what users start it with, and takes longer than it: so it starts the
// inspector for the handshakes alone.
const launcher = join(here, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const run = (era, call, server = 'catalog') => new Promise((resolve) => {
  const [program, first] = call[0] === 'initialize' ? ['npx', ['--no', '--', inspector]] : [process.execPath, [launcher]];
  const args = [...first, '--cli', '--config', config, '--server', server,
    '--protocol-era', era, '--format', 'json', '--quiet', '--method', ...call];
  const env = { ...process.env, HOME: home, npm_config_update_notifier: 'false' };
  execFile(program, args, { cwd: here, env }, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }));
});

async function check(era, call, want, holds, server) {
  const { code, stdout, stderr } = await run(era, call, server);
  const told = `${era}: ${call.join(' ')}\n${stdout}\n${stderr}`;
  assert.equal(code, want, told);
  if (!holds) return;
  try {
    const answer = JSON.parse(stdout);
    holds(answer.result ?? answer, era);
  } catch (error) {
    throw new Error(told, { cause: error });
  }
}

const checks = [];
for (const era of Object.keys(versions)) {
  // Auto only chooses one of the others: the handshake shows which.
  for (const [call, holds] of era === 'auto' ? good.slice(0, 2) : good) checks.push(() => check(era, call, 0, holds));
  for (const [call, code] of era === 'auto' ? [] : bad) checks.push(() => check(era, call, code));
}
checks.push(async () => {
  for (const [call, holds] of further) await check('modern', call, 0, holds, 'toolsets');
});
const total = checks.length - 1 + further.length;
const work = async () => {
  while (checks.length > 0) await checks.shift()();
};
await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`ok: ${inspector}: ${total} calls in three eras`);
