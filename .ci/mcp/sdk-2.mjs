// The official client of the second major (@modelcontextprotocol/client) against
// the program, in each era, over a pipe and over HTTP: node sdk-2.mjs BINARY CATALOG
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { converse } from './conversation.mjs';
import { overHTTP, overPipe } from './server.mjs';

// anything is a schema that every result fits.
const anything = { '~standard': { version: 1, vendor: 'anything', validate: (value) => ({ value }) } };

async function talk(transport, era, mode, bare) {
  const client = new Client({ name: 'sdk-2', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  assert.equal(client.getProtocolEra(), era);
  await converse(client, {
    bare,
    ask: (method, params) => client.request({ method, params }, anything),
    call: (params, options) => client.callTool(params, options),
    watch: (uri) => (era === 'modern' ? listen(client, uri) : subscribe(client, uri)),
  });
  await verifySkills(client);
  await client.close();
}

async function subscribe(client, uri) {
  await client.subscribeResource({ uri });
  await client.unsubscribeResource({ uri });
}

async function listen(client, uri) {
  const subscription = await client.listen({ resourceSubscriptions: [uri] });
  assert.deepEqual(subscription.honoredFilter.resourceSubscriptions, [uri]);
  await subscription.close();
  assert.equal(await subscription.closed, 'local');
}

// verifySkills has the client check the digest, size and front matter of every
// file.
async function verifySkills(client) {
  const skills = new SkillsClient(client);
  const listed = await skills.list();
  assert.equal(listed.skills.length, 1);
  for (const skill of listed.skills) assert.ok((await skills.read(skill)).verified);
}

const [binary, catalog] = process.argv.slice(2);
const negotiations = [['legacy', 'legacy'], ['modern', 'auto'], ['modern', { pin: '2026-07-28' }]];
for (const [era, mode] of negotiations) {
  const name = `client 2.x, ${JSON.stringify(mode)}`;
  await overPipe(name, binary, catalog, (parameters) => talk(new StdioClientTransport(parameters), era, mode, true));
  await overHTTP(name, binary, catalog, (url) => talk(new StreamableHTTPClientTransport(url), era, mode, false));
}
