import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import { encodePkt, FLUSH, PktReader, pktText } from '../protocol/pkt-line.ts'
import { BAND_ERROR, BAND_PACK, BAND_PROGRESS } from '../protocol/sideband.ts'
import { commonArguments, DELIM, type RemoteRefs, uploadPackHeaders } from './remote-refs.ts'
import { expectSuccess } from './response.ts'
import type { GitTransport } from './transport.ts'

export interface FetchRequest {
  /** Objects to fetch: values of the remote repository's refs. At least one. */
  wants: readonly Oid[]
  /** Commits that the local repository has, with all that they reach. The most recent first: a server may look at the first ones only. */
  haves: readonly Oid[]
  /** Called with what the remote server reports while it works. */
  onProgress?: (text: string) => void
}

/**
 * Requests a pack of what the wanted objects reach and the local repository lacks. Deltas of the pack may need objects that the local repository
 * has (a thin pack). Objects that `haves` do not reach are sent again, even if they exist locally.
 * @returns the bytes of the pack
 * @throws GitError if the server rejects the request or does not speak as the protocol says, also while the pack is read
 */
export async function fetchPack(
  transport: GitTransport,
  remote: Pick<RemoteRefs, 'version' | 'capabilities'>,
  request: FetchRequest,
): Promise<AsyncIterable<Uint8Array>> {
  const body = remote.version === 2 ? version2Body(remote.capabilities, request) : version0Body(remote.capabilities, request)
  const response = await transport.post('/git-upload-pack', uploadPackHeaders(remote.version), body)
  await expectSuccess(response, 'application/x-git-upload-pack-result')
  const reader = new PktReader(response.body)
  if (remote.version === 2) await skipToPack(reader)
  else await skipAcknowledgments(reader)
  return packOf(reader, request)
}

function version2Body(capabilities: RemoteRefs['capabilities'], { wants, haves }: FetchRequest): Buffer {
  const lines = ['thin-pack', 'ofs-delta', ...wants.map((oid) => `want ${oid}`), ...haves.map((oid) => `have ${oid}`), 'done']
  return Buffer.concat([encodePkt('command=fetch\n'), ...commonArguments(capabilities), DELIM, ...lines.map((line) => encodePkt(`${line}\n`)), FLUSH])
}

/** The capabilities that a version 0 client can use here. Without `side-band-64k`, errors and progress would not be told apart from the pack. */
const WANTED = ['multi_ack_detailed', 'no-done', 'side-band-64k', 'thin-pack', 'ofs-delta']

function version0Body(capabilities: RemoteRefs['capabilities'], { wants, haves }: FetchRequest): Buffer {
  if (!capabilities.has('side-band-64k')) throw new GitError('protocol', 'The remote server is too old: it does not support side-band-64k')
  const words = [...WANTED.filter((word) => word !== 'no-done' && capabilities.has(word)), 'agent=pocketforge'].join(' ')
  const [first, ...others] = wants
  const lines = [`want ${first} ${words}\n`, ...others.map((oid) => `want ${oid}\n`)]
  return Buffer.concat([...lines.map(encodePkt), FLUSH, ...haves.map((oid) => encodePkt(`have ${oid}\n`)), encodePkt('done\n')])
}

/** With `done` in the request, the sections before `packfile` are optional. */
async function skipToPack(reader: PktReader): Promise<void> {
  for (;;) {
    const pkt = await reader.next()
    if (pkt === undefined || pkt.type === 'flush') throw new GitError('protocol', 'The remote server sends no pack')
    if (pkt.type !== 'data') continue
    const line = pktText(pkt.payload)
    if (line.startsWith('ERR ')) throw new GitError('protocol', `The remote server reports: ${line.slice(4)}`)
    if (line === 'packfile') return
  }
}

/** `ACK <oid> common` lines, and the last `ACK <oid>` or `NAK`, which precedes the pack. */
async function skipAcknowledgments(reader: PktReader): Promise<void> {
  for (;;) {
    const pkt = await reader.next()
    if (pkt?.type !== 'data') throw new GitError('protocol', 'The remote server sends no pack')
    const line = pktText(pkt.payload)
    if (line.startsWith('ERR ')) throw new GitError('protocol', `The remote server reports: ${line.slice(4)}`)
    if (line === 'NAK' || /^ACK [0-9a-f]{40}$/.test(line)) return
    if (!line.startsWith('ACK ')) throw new GitError('protocol', 'The remote server sends no acknowledgment')
  }
}

async function* packOf(reader: PktReader, { onProgress }: Pick<FetchRequest, 'onProgress'>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const pkt = await reader.next()
    if (pkt === undefined) throw new GitError('protocol', 'The remote server ends the pack early')
    if (pkt.type === 'flush' || pkt.type === 'response-end') return
    if (pkt.type !== 'data') continue
    const [band] = pkt.payload
    const content = pkt.payload.subarray(1)
    if (band === BAND_PACK) yield content
    else if (band === BAND_PROGRESS) onProgress?.(pktText(content))
    else if (band === BAND_ERROR) throw new GitError('protocol', `The remote server reports: ${pktText(content)}`)
    else throw new GitError('protocol', 'The remote server uses an unknown side band')
  }
}
