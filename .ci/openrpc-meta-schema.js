// Prints the OpenRPC meta-schema as one document without references to
// others: node openrpc-meta-schema.js FOLDER-WITH-node_modules
const from = process.argv[2] + '/node_modules/';
const openrpc = require(from + '@open-rpc/meta-schema').openrpcDocument;
const json = require(from + '@json-schema-tools/meta-schema').default;

const moved = (schema, rewrite) =>
  JSON.parse(JSON.stringify(schema), (key, value) => (key === '$ref' && typeof value === 'string' ? rewrite(value) : value));

const home = '#/definitions/JSONSchemaMeta';
const inner = moved(json, (ref) => ref.replace(/^#/, home));
const outer = moved(openrpc, (ref) => ref.replace(/^https:\/\/meta\.json-schema\.tools\/?#?/, home));
delete inner.$id;
delete inner.$schema;
delete outer.$id;
outer.$schema = 'http://json-schema.org/draft-07/schema#';
outer.definitions.JSONSchemaMeta = inner;
process.stdout.write(JSON.stringify(outer));
