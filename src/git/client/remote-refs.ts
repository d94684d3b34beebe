import { GitError } from '../errors.ts'
import { isOid, type Oid } from '../objects/oid.ts'
import { parseCapabilities } from '../protocol/capabilities.ts'
import { encodePkt, FLUSH, PktReader, pktText } from '../protocol/pkt-line.ts'
import { expectSuccess } from './response.ts'
import type { GitTransport } from './transport.ts'

/** Sources: `Documentation/gitprotocol-http.txt`, `gitprotocol-v2.txt`, `gitprotocol-pack.txt`. */

export const DELIM = Buffer.from('0001')

export interface RemoteRef {
  name: string
  oid: Oid
  /** The object that an annotated tag points to. */
  peeled?: Oid | undefined
}

/** The refs and capabilities that another server reports for a repository. */
export interface RemoteRefs {
  /** The protocol's version. */
  version: 0 | 2
  capabilities: ReadonlyMap<string, string>
  /** Branches and tags. */
  refs: readonly RemoteRef[]
  /** The ref that HEAD points to; undefined if the server does not say. */
  head: string | undefined
}

export interface RefLimits {
  maxRefs: number
  /** Bytes of the list of refs. */
  maxBytes: number
}

const PREFIXES = ['refs/heads/', 'refs/tags/']
const PEELED = '^{}'

/**
 * Lists the branches and tags of another server's repository, with protocol version 2, or 0 if the server does not have that.
 * @throws GitError `protocol` if the server does not speak git's smart protocol; `limit` if it has more refs than `limits` allow
 */
export async function listRemoteRefs(transport: GitTransport, limits: RefLimits): Promise<RemoteRefs> {
  const response = await transport.get('/info/refs?service=git-upload-pack', { 'Git-Protocol': 'version=2' })
  await expectSuccess(response, 'application/x-git-upload-pack-advertisement')
  const reader = new PktReader(limited(response.body, limits.maxBytes))
  let first = await nextLine(reader)
  if (first === '# service=git-upload-pack') {
    await nextLine(reader)
    first = await nextLine(reader)
  }
  if (first !== 'version 2') return readVersion0(reader, first, limits)
  const words: string[] = []
  for (let line = await nextLine(reader); line !== undefined; line = await nextLine(reader)) words.push(line)
  const capabilities = requireSha1(parseCapabilities(words))
  return { version: 2, capabilities, ...(await listVersion2(transport, capabilities, limits)) }
}

async function listVersion2(transport: GitTransport, capabilities: ReadonlyMap<string, string>, limits: RefLimits): Promise<Pick<RemoteRefs, 'refs' | 'head'>> {
  const body = Buffer.concat([
    encodePkt('command=ls-refs\n'),
    ...commonArguments(capabilities),
    DELIM,
    ...['peel', 'symrefs', 'ref-prefix HEAD', ...PREFIXES.map((prefix) => `ref-prefix ${prefix}`)].map((line) => encodePkt(`${line}\n`)),
    FLUSH,
  ])
  const response = await transport.post('/git-upload-pack', uploadPackHeaders(2), body)
  await expectSuccess(response, 'application/x-git-upload-pack-result')
  const reader = new PktReader(limited(response.body, limits.maxBytes))
  const refs: RemoteRef[] = []
  let head: string | undefined
  for (let line = await nextLine(reader); line !== undefined; line = await nextLine(reader)) {
    const [oid = '', name = '', ...attributes] = line.split(' ')
    const attribute = (key: string) => attributes.find((one) => one.startsWith(key))?.slice(key.length)
    if (name === 'HEAD') head = attribute('symref-target:')
    else if (PREFIXES.some((prefix) => name.startsWith(prefix))) {
      const peeled = attribute('peeled:')
      refs.push({ name, oid: parseOid(oid), peeled: peeled === undefined ? undefined : parseOid(peeled) })
    }
    if (refs.length > limits.maxRefs) throw tooMany(limits)
  }
  return { refs, head }
}

/** The list follows in the same response: `<oid> <name>`, the first line with NUL and the capabilities. */
async function readVersion0(reader: PktReader, first: string | undefined, limits: RefLimits): Promise<RemoteRefs> {
  const refs: RemoteRef[] = []
  let capabilities: ReadonlyMap<string, string> = new Map()
  let headOid: string | undefined
  for (let line = first; line !== undefined; line = await nextLine(reader)) {
    const [ref = '', words] = line.split('\0', 2)
    if (words !== undefined) capabilities = requireSha1(parseCapabilities(words.split(' ')))
    const [oid = '', name = ''] = ref.split(' ', 2)
    if (name === 'HEAD') headOid = oid
    const last = refs.at(-1)
    if (last && name === last.name + PEELED) last.peeled = parseOid(oid)
    else if (PREFIXES.some((prefix) => name.startsWith(prefix)) && !name.endsWith(PEELED)) refs.push({ name, oid: parseOid(oid) })
    if (refs.length > limits.maxRefs) throw tooMany(limits)
  }
  const symref = capabilities.get('symref')
  const head = symref?.startsWith('HEAD:')
    ? symref.slice('HEAD:'.length)
    : refs.find(({ name, oid }) => name.startsWith('refs/heads/') && oid === headOid)?.name
  return { version: 0, capabilities, refs, head }
}

/** The arguments of every version 2 command. */
export function commonArguments(capabilities: ReadonlyMap<string, string>): Buffer[] {
  const format = capabilities.has('object-format') ? [encodePkt('object-format=sha1\n')] : []
  return [encodePkt('agent=pocketforge\n'), ...format]
}

export function uploadPackHeaders(version: 0 | 2): Record<string, string> {
  return {
    'Content-Type': 'application/x-git-upload-pack-request',
    Accept: 'application/x-git-upload-pack-result',
    ...(version === 2 ? { 'Git-Protocol': 'version=2' } : {}),
  }
}

/** @returns undefined for a flush packet and at the end */
async function nextLine(reader: PktReader): Promise<string | undefined> {
  const pkt = await reader.next()
  if (pkt?.type !== 'data') return undefined
  const text = pktText(pkt.payload)
  if (text.startsWith('ERR ')) throw new GitError('protocol', `The remote server reports: ${text.slice(4)}`)
  return text
}

async function* limited(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new GitError('limit', `The remote repository's list of refs has more than ${maxBytes} bytes`)
    yield chunk
  }
}

function requireSha1(capabilities: Map<string, string>): Map<string, string> {
  const format = capabilities.get('object-format') ?? 'sha1'
  if (format !== 'sha1') throw new GitError('refused', `The remote repository uses ${format} object names. Only sha1 is supported.`)
  return capabilities
}

function parseOid(text: string): Oid {
  if (!isOid(text)) throw new GitError('protocol', 'The remote server lists a ref with an invalid object name')
  return text
}

function tooMany({ maxRefs }: RefLimits): GitError {
  return new GitError('limit', `The remote repository has more than ${maxRefs} branches and tags`)
}
