import { expect, test } from 'bun:test'
import { t } from 'elysia'
import { asBody, type FormSchema, fieldsOf } from './form-body.ts'

const Person = t.Object({ name: t.String(), age: t.Optional(t.Integer()) })
const schema = t.Object({
  config: t.Record(t.String(), t.String()),
  author: t.Optional(t.Nullable(Person)),
  files: t.Array(t.Object({ path: t.String(), by: t.Optional(Person) })),
  title: t.String(),
  labels: t.Optional(t.Array(t.Any())),
})

const urlEncoded = 'application/x-www-form-urlencoded'
const read = async (text: string) => asBody(await fieldsOf(Buffer.from(text), urlEncoded), schema as FormSchema)

test.each([
  ['a member in brackets', 'config[url]=http://x/&config[content_type]=json', { config: { url: 'http://x/', content_type: 'json' } }],
  ['a member behind a dot', 'config.url=http://x/&author.name=Ada&author.age=36', { config: { url: 'http://x/' }, author: { name: 'Ada', age: 36 } }],
  [
    'members of a list, by their numbers',
    'files[10][path]=c&files[0][path]=a&files.2.path=b&files[2][by][age]=5',
    { files: [{ path: 'a' }, { path: 'b', by: { age: 5 } }, { path: 'c' }] },
  ],
  ['numbers of a list that takes anything, beside names', 'labels=5&labels=bug,-1&labels=0x1', { labels: [5, 'bug', -1, '0x1'] }],
  ['what is no member of anything is left out', 'title[x]=1&other[x]=1&author[x]=1&[x]=1&config]=1&config[=1', { author: {} }],
])('%s', async (_, text, body) => {
  expect(await read(text)).toEqual(body)
})

test('many levels are no deeper than the schema', async () => {
  expect(Object.keys(await read(`config${'[a]'.repeat(20_000)}=1&files${'[0]'.repeat(20_000)}=1`))).toEqual(['config', 'files'])
})
