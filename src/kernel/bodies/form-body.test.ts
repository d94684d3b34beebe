import { expect, test } from 'bun:test'
import { t } from 'elysia'
import { outcome } from '../../../test/outcome.ts'
import { wordList } from '../schema.ts'
import { asBody, type FormSchema, fieldsOf } from './form-body.ts'

const Person = t.Object({ name: t.String(), age: t.Optional(t.Integer()) })
const schema = t.Object({
  config: t.Record(t.String(), t.String()),
  author: t.Optional(t.Nullable(Person)),
  files: t.Array(t.Object({ path: t.String(), by: t.Optional(Person) })),
  title: t.String(),
  labels: t.Optional(t.Array(t.Any())),
  ids: t.Optional(t.Array(t.Integer())),
  events: t.Optional(wordList(t.String())),
  branches: t.Optional(t.Array(t.String())),
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
  ['numbers of a list that takes anything, beside names', 'labels=5,-1&labels=bug&labels=0x1&ids=1,2', { labels: [5, -1, 'bug', '0x1'], ids: [1, 2] }],
  ['words with commas between', 'events=push, issues&events=fork', { events: ['push', 'issues', 'fork'] }],
  ['texts that have commas in them', 'branches=a,b&branches= c &labels=fix, now', { branches: ['a,b', ' c '], labels: ['fix, now'] }],
  ['what is no member of anything is left out', 'title[x]=1&other[x]=1&author[x]=1&[x]=1&config]=1&config[=1', { author: {} }],
])('%s', async (_, text, body) => {
  expect(await read(text)).toEqual(body)
})

test('many levels are no deeper than the schema', async () => {
  expect(Object.keys(await read(`config${'[a]'.repeat(20_000)}=1&files${'[0]'.repeat(20_000)}=1`))).toEqual(['config', 'files'])
})

test.each([
  ['between', 'between'],
  ['"----=_Part_0_12.34"', '----=_Part_0_12.34'],
  ['"of two words"; charset=utf-8', 'of two words'],
])('a form whose header says boundary=%s is read', async (written, boundary) => {
  const body = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--${boundary}--\r\n`)
  expect(await fieldsOf(body, `multipart/form-data; boundary=${written}`)).toEqual(new Map([['a', ['1']]]))
})

test.each([['Content-Disposition'], ['CONTENT-DISPOSITION']])(
  'a form of very many parts is refused before it is read, however %s is written',
  async (header) => {
    const read = (count: number, boundary: string) => {
      const parts = Array.from({ length: count }, (_, i) => `--b\r\n${header}: form-data; name=a${i}\r\n\r\n\r\n`)
      return outcome(fieldsOf(Buffer.from(`${parts.join('')}--b--\r\n`), `multipart/form-data; boundary=${boundary}`))
    }
    expect((await read(1900, 'b'))().size).toBe(1900)
    expect(await read(2100, 'b')).toThrow('it has more than 2000 fields')
    expect(await read(2100, '"b"; charset=utf-8')).toThrow('it has more than 2000 fields')
  },
)
