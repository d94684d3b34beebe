import { describe, test } from 'bun:test'
import { applyPatch } from '#git/diff/apply-patch.ts'
import { parsePatch } from '#git/diff/parse-patch.ts'
import { defaultLimits } from '#git/limits.ts'
import { checkObject } from '#git/objects/check.ts'
import { checkGitmodules } from '#git/objects/check-gitmodules.ts'
import { commitLinks, encodeCommit, parseCommit } from '#git/objects/commit.ts'
import { type ObjectType, SHA1 } from '#git/objects/oid.ts'
import { parseTag } from '#git/objects/tag.ts'
import { encodeTree, findEntry, parseTree } from '#git/objects/tree.ts'
import { applyDelta, deltaSizes } from '#git/packs/delta.ts'
import { decodeEntryHeader, emptyEntryHeader } from '#git/packs/entry.ts'
import { applyV0Capabilities, decodeFetch, decodeV0Line, emptyFetchRequest } from '#git/protocol/fetch-request.ts'
import { LineReader } from '#git/protocol/line-reader.ts'
import { decodeLsRefs } from '#git/protocol/ls-refs.ts'
import { decodeObjectInfo } from '#git/protocol/object-info.ts'
import { PktReader } from '#git/protocol/pkt-line.ts'
import { readUpdateRequest } from '#git/protocol/update-request.ts'
import { parseRefName } from '#git/refs/names.ts'
import { MemoryStore } from '#git/store/memory.ts'

import { FUZZ_TIMEOUT, fuzz, type Target } from './fuzz.ts'

const RUNS = 3000
const limits = { ...defaultLimits, maxObjectBytes: 1 << 20, maxParsedBytes: 1 << 16, maxTreeEntries: 100, maxCommands: 50 }

const id = '1234567890abcdef1234567890abcdef12345678'
const rawId = '\x12\x34\x56\x78\x90\xab\xcd\xef\x12\x34\x56\x78\x90\xab\xcd\xef\x12\x34\x56\x78'
const person = 'Ada Lovelace <ada@example.com> 1700000000 +0100'
const signature = `gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n`

const tree = bytes(`100644 a.txt\0${rawId}40000 dir\0${rawId}120000 link\0${rawId}100755 run\0${rawId}160000 sub\0${rawId}`)
const commits = [
  bytes(`tree ${id}\nparent ${id}\nparent ${id.replace('1', 'f')}\nauthor ${person}\ncommitter ${person}\n\nSubject\n\nBody\n`),
  bytes(`tree ${id}\nauthor ${person}\ncommitter ${person}\nencoding ISO-8859-1\n${signature}\nM\xe9ssage`),
]
const tags = [bytes(`object ${id}\ntype commit\ntag v1.0\ntagger ${person}\n\nRelease\n`), bytes(`object ${id}\ntype tree\ntag x\n\n`)]
const modules = bytes('[submodule "lib"]\n\tpath = vendor/lib\n\turl = "../lib.git" ; why\n\tupdate = rebase\n')
const fetchLines = [
  [`want ${id}`, `have ${id}`, 'thin-pack', 'ofs-delta', 'no-progress', 'include-tag', 'deepen 3', `shallow ${id}`, 'filter blob:limit=10k', 'done'],
  ['want-ref refs/heads/main', 'deepen-since 1700000000', 'deepen-not refs/tags/v1', 'deepen-relative', 'filter combine:blob:none+tree:3', 'wait-for-done'],
]

const textPatch = `diff --git a/a.txt b/"b\\303\\274.txt"
old mode 100644
new mode 100755
similarity index 90%
rename from a.txt
rename to "b\\303\\274.txt"
index ${id}..${id} 100644
--- a/a.txt
+++ "b/b\\303\\274.txt"
@@ -1,3 +1,3 @@ section
 one
-two
+TWO
 three
\\ No newline at end of file
`
const binaryPatch = `diff --git a/bin b/bin\nnew file mode 100644\nindex ${'0'.repeat(40)}..${id}\nGIT binary patch\nliteral 4\nLcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n\n`
const patches = [bytes(textPatch), bytes(`--- a/x\t2020-01-01\n+++ b/x\n@@ -0,0 +1 @@\n+x\n-- \n2.39.5\n`), bytes(binaryPatch)]
const patchLimits = { maxPatchBytes: 1 << 20, maxFiles: 20, maxFileBytes: 1 << 16 }
const patchStore = new MemoryStore()
const patchTree = patchStore.write('tree', encodeTree([{ mode: 0o100644, name: 'a.txt', oid: patchStore.write('blob', bytes('one\ntwo\nthree')) }]))

const targets: Target[] = [
  { name: 'patch parser', samples: patches, read: (input) => parsePatch(input, patchLimits) },
  { name: 'patch applier', samples: [bytes(textPatch)], read: (input) => applyPatch(patchStore, patchTree, input, patchLimits) },
  { name: 'tree parser', samples: [tree], read: (input) => roundTrip(parseTree(input, limits), encodeTree) },
  { name: 'tree lookup', samples: [tree], read: (input) => findEntry(input, 'run') },
  { name: 'commit parser', samples: commits, read: (input) => roundTrip(parseCommit(input), encodeCommit) },
  { name: 'commit links', samples: commits, read: commitLinks },
  { name: 'tag parser', samples: tags, read: parseTag },
  { name: 'tree checker', samples: [tree], read: checker('tree') },
  { name: 'commit checker', samples: commits, read: checker('commit') },
  { name: 'tag checker', samples: [tags[0] as Uint8Array], read: checker('tag') },
  { name: '.gitmodules checker', samples: [modules], read: checkGitmodules },
  {
    name: 'pack entry header',
    samples: [headerOf(0x95, 0x0a), headerOf(0xe5, 0x80, 0x12), headerOf(0x7f, ...Buffer.from(rawId, 'latin1'))],
    read: readEntryHeader,
  },
  { name: 'delta', samples: [Uint8Array.of(16, 20, 0x90, 12, 3, 97, 98, 99, 0x91, 4, 5)], read: readDelta },
  {
    name: 'ref name',
    samples: ['refs/heads/main', 'refs/tags/v1.0', 'refs/heads/a/b/ü'].map(utf8),
    read: (input) => parseRefName(Buffer.from(input).toString()),
  },
  { name: 'fetch arguments', samples: fetchLines.map((lines) => utf8(lines.join('\n'))), read: (input) => decodeFetch(lines(input), limits) },
  { name: 'fetch of protocol 0', samples: fetchLinesOfV0(), read: readV0 },
  { name: 'ls-refs arguments', samples: [utf8('peel\nsymrefs\nunborn\nref-prefix refs/heads/\nref-prefix HEAD')], read: (input) => decodeLsRefs(lines(input)) },
  { name: 'object-info arguments', samples: [utf8(`size\noid ${id}`)], read: (input) => decodeObjectInfo(lines(input), limits) },
  { name: 'pkt-line sections', samples: [packets('command=fetch', 'agent=x', null, `want ${id}`, 'done', null)], read: readSections },
  { name: 'push request', samples: pushRequests(), read: readPush },
]

describe('only a GitError may come out of', () => {
  for (const target of targets) test(`the ${target.name}, whatever the bytes`, () => fuzz(target, RUNS), FUZZ_TIMEOUT)
})

/** What was read can be written and read again: nothing half-understood comes out of a parser. */
function roundTrip<T>(parsed: T, encode: (value: T) => Uint8Array): void {
  encode(parsed)
}

function checker(type: ObjectType) {
  return (input: Uint8Array) => checkObject(SHA1, type, input, limits)
}

function headerOf(...header: number[]): Uint8Array {
  return Uint8Array.from([...header, 0x78, 0x9c])
}

function readEntryHeader(input: Uint8Array): void {
  const header = emptyEntryHeader()
  if (!decodeEntryHeader(input, 0, SHA1.rawLength, header)) return
  const isSane = header.dataAt <= input.length && Number.isSafeInteger(header.size) && Number.isSafeInteger(header.baseDistance)
  if (!isSane) throw new Error(`it answered ${JSON.stringify(header)}`)
}

function readDelta(input: Uint8Array): void {
  const base = Buffer.from('the base of 16 B')
  const made = applyDelta(base, input, limits.maxObjectBytes)
  if (made.length !== deltaSizes(input).result) throw new Error(`it made ${made.length} bytes`)
}

function readV0(input: Uint8Array): void {
  const request = emptyFetchRequest()
  for (const line of lines(input)) decodeV0Line(line, request)
  applyV0Capabilities(request, new Map([['thin-pack', '']]))
}

function fetchLinesOfV0(): Uint8Array[] {
  return [utf8(`shallow ${id}\ndeepen 2\nfilter tree:1`), utf8('deepen-since 1700000000\ndeepen-not refs/heads/x')]
}

async function readSections(input: Uint8Array): Promise<void> {
  const reader = new LineReader(new PktReader(chunks(input)), limits)
  while ((await reader.section()) !== undefined);
}

async function readPush(input: Uint8Array): Promise<void> {
  const reader = new PktReader(chunks(input))
  const request = await readUpdateRequest(reader, limits)
  if (request.commands.length > limits.maxCommands) throw new Error(`it took ${request.commands.length} commands`)
  for await (const _ of reader.rest());
}

function pushRequests(): Uint8Array[] {
  const capabilities = 'report-status side-band-64k push-options agent=git/2.39.5'
  const command = `${SHA1.zero} ${id} refs/heads/main\0${capabilities}\n`
  return [packets(command, `${id} ${SHA1.zero} refs/heads/old`, null, 'ci.skip', null), packets(`shallow ${id}`, command, null, null, 'PACK')]
}

/** Pkt-lines; null is a flush packet. */
function packets(...payloads: (string | null)[]): Uint8Array {
  const encoded = payloads.map((payload) => (payload === null ? '0000' : (Buffer.byteLength(payload) + 4).toString(16).padStart(4, '0') + payload))
  return utf8(encoded.join(''))
}

/** As they may come from a network: cut anywhere. */
async function* chunks(input: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < input.length; at += 7) yield input.subarray(at, at + 7)
}

function lines(input: Uint8Array): string[] {
  return Buffer.from(input).toString().split('\n')
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text)
}
