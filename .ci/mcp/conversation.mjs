// The conversation that every client has with the server. It is the one of
// TestGoClient in cmd/catalog, put into JavaScript: the methods of the clients
// of both majors have the same names.
import assert from 'node:assert/strict';

const tools = ['instructions_get', 'instructions_list', 'instructions_search', 'prompt_review', 'usage_track'];
const secrets = 'instruction://secrets';

// converse talks to the server. Ask sends a request that the client has no
// method for; call calls a tool with options; watch subscribes to a resource and
// ends that; bare says whether the connection also takes the methods of editors.
export async function converse(client, { ask, call, watch, bare }) {
  assert.equal(client.getServerVersion().name, 'catalog');
  assert.match(client.getInstructions(), /instructions_search/);
  await callTools(client);
  await readResources(client, watch);
  await getPrompts(client);
  await findSkills(client, ask);
  await giveUp(client, call);
  if (bare) await callBareMethods(client, ask);
}

async function callTools(client) {
  const listed = (await client.listTools()).tools.map((tool) => tool.name);
  for (const name of tools) assert.ok(listed.includes(name), `${name} is not among ${listed}`);

  const call = (name, args) => client.callTool({ name, arguments: args });
  const found = await call('instructions_search', { q: 'secret' });
  assert.equal(found.structuredContent.count, 1);
  assert.match(found.content[0].text, /- secrets \[critical\]/);
  const got = await call('instructions_get', { id: 'secrets' });
  assert.match(got.content[0].text, /Never commit a password/);
  const list = await call('instructions_list', {});
  assert.equal(list.structuredContent.count, 3);
  const review = await call('prompt_review', { prompt: 'Do the thing.' });
  assert.ok(Array.isArray(review.structuredContent.issues));
  const used = await call('usage_track', { id: 'secrets' });
  assert.equal(used.structuredContent.usageCount, 1);

  const wrong = await call('instructions_search', { query: 'secret' });
  assert.ok(wrong.isError);
  assert.match(wrong.content[0].text, /q: is required/);
  await assert.rejects(call('nonesuch', {}), { code: -32602 });
}

async function readResources(client, watch) {
  const { resources } = await client.listResources();
  const uris = resources.map((resource) => resource.uri);
  assert.ok(uris.includes('instruction://index') && uris.includes(secrets), `${uris}`);
  for (const uri of uris) {
    const { contents } = await client.readResource({ uri });
    assert.ok(contents[0].text.length > 0, uri);
  }
  await assert.rejects(client.readResource({ uri: 'instruction://nonesuch' }));
  await watch(secrets);

  const { resourceTemplates } = await client.listResourceTemplates();
  const template = resourceTemplates.find((t) => t.uriTemplate === 'instruction://{id}');
  assert.ok(template, 'there is no template of instructions');
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: template.uriTemplate },
    argument: { name: 'id', value: 'sec' },
  });
  assert.deepEqual(completion.values, ['secrets']);
}

async function getPrompts(client) {
  const names = (await client.listPrompts()).prompts.map((prompt) => prompt.name);
  assert.deepEqual(names.sort(), ['instructions', 'review-prompt']);
  const { messages } = await client.getPrompt({ name: 'instructions', arguments: { category: 'security' } });
  assert.match(messages[0].content.text, /Never commit a password/);
  await assert.rejects(client.getPrompt({ name: 'review-prompt', arguments: {} }), { code: -32602 });
}

async function findSkills(client, ask) {
  const { skills } = await ask('skills/list', {});
  assert.deepEqual(skills.map((skill) => skill.uri), ['skill://release/SKILL.md']);
  assert.match(skills[0].resources[0].digest, /^sha256:[0-9a-f]{64}$/);
  const { contents } = await client.readResource({ uri: skills[0].uri });
  assert.match(contents[0].text, /Tag the commit/);
}

// giveUp cancels a call that has been sent and cannot have been answered yet,
// as no input is read between microtasks: the session goes on.
async function giveUp(client, call) {
  const enough = new AbortController();
  const called = call({ name: 'instructions_list', arguments: {} }, { signal: enough.signal });
  const refused = assert.rejects(called);
  for (let turn = 0; turn < 100; turn++) await null;
  enough.abort();
  await refused;
  assert.equal((await client.listPrompts()).prompts.length, 2);
}

async function callBareMethods(client, ask) {
  const health = await ask('health/check', {});
  assert.equal(health.status, 'ok');
  const none = '0'.repeat(64);
  const diff = await ask('instructions/diff', {
    known: [{ id: 'secrets', sourceHash: none }, { id: 'gone', sourceHash: none }],
  });
  assert.deepEqual(diff.added.map((entry) => entry.id), ['go-error-wrapping', 'release']);
  assert.deepEqual(diff.updated.map((entry) => entry.id), ['secrets']);
  assert.deepEqual(diff.removed, ['gone']);
  assert.match(diff.hash, /^[0-9a-f]{64}$/);
  await assert.rejects(ask('no/such', {}), { code: -32601 });
}
