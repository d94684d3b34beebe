import { isUtf8 } from 'node:buffer'
import { breathe } from '#kernel/breathe.ts'
import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import { isOid, type Oid, SHA1 } from '../objects/oid.ts'
import { parseCapabilities } from './capabilities.ts'
import { escapeBytes, type PktReader, pktText } from './pkt-line.ts'

/** Source: `Documentation/gitprotocol-pack.txt`, "Pushing Data To a Server". */

/** One line of a push: make `name` point from `old` to `new`; zeros mean absent. */
export interface RefCommand {
  name: string
  old: Oid
  new: Oid
}

export interface UpdateRequest {
  commands: RefCommand[]
  /** Commits whose parents a shallow client does not have. */
  shallow: Oid[]
  capabilities: ReadonlyMap<string, string>
  /** The bytes of names that are not UTF-8, by what stands for them in `commands`: they can only be refused, by name. */
  undecodable: ReadonlyMap<string, Uint8Array>
  /** `--push-option`s: data, never interpreted as anything else. */
  options: string[]
}

/** Bytes that a command has on average at most; single ones may be longer. */
const LINE_BYTES = 256
/** Far above what any ref may be called; a name must fit into a packet of the report, too. */
const MAX_NAME_LENGTH = 4096
const MAX_OPTIONS = 256
const MAX_OPTION_LENGTH = 4096

/** More in a push than is taken in: nothing of it is looked at, and its sender is told so in the way that it understands. */
export class PushTooLarge extends GitError {
  readonly read: Pick<UpdateRequest, 'capabilities' | 'undecodable'>

  constructor(message: string, read: Pick<UpdateRequest, 'capabilities' | 'undecodable'>) {
    super('limit', message)
    this.read = read
  }
}

/**
 * Reads what comes before the pack. A push without commands (a client that only tries the connection) yields none.
 * @throws GitError `protocol` on anything malformed: then the whole push fails, nothing of it is looked at. PushTooLarge
 */
export async function readUpdateRequest(reader: PktReader, limits: GitLimits): Promise<UpdateRequest> {
  const request: UnderConstruction = { commands: [], shallow: [], capabilities: new Map(), undecodable: new Map(), options: [] }
  try {
    await readCommands(reader, limits, request)
    if (request.commands.length > 0 && request.capabilities.has('push-options')) request.options = await readOptions(reader)
  } catch (error) {
    throw error instanceof GitError && error.kind === 'limit' ? new PushTooLarge(error.message, request) : error
  }
  return request
}

async function readCommands(reader: PktReader, limits: GitLimits, request: UnderConstruction): Promise<void> {
  let bytes = 0
  for (;;) {
    const pkt = await reader.next()
    if (!pkt || pkt.type === 'flush') break
    if (pkt.type !== 'data') throw new GitError('protocol', 'Cannot read push: a delimiter packet among the commands')
    readLine(pkt.payload, request)
    bytes += pkt.payload.length
    if ((request.commands.length & 511) === 511) await breathe()
    if (request.commands.length + request.shallow.length > limits.maxCommands || bytes > (limits.maxCommands + 256) * LINE_BYTES) {
      throw new GitError('limit', `Cannot read push: more than ${limits.maxCommands} ref updates at once`)
    }
  }
}

interface UnderConstruction extends UpdateRequest {
  capabilities: Map<string, string>
  undecodable: Map<string, Uint8Array>
}

function readLine(payload: Uint8Array, request: UnderConstruction): void {
  const line = pktText(payload)
  if (line.startsWith('shallow ')) {
    request.shallow.push(oidOf(line.slice(8)))
    return
  }
  if (line.startsWith('push-cert')) throw new GitError('protocol', 'Cannot read push: signed pushes were not offered')
  const nul = request.commands.length === 0 ? line.indexOf('\0') : -1
  if (nul >= 0) {
    for (const [name, value] of parseCapabilities(line.slice(nul + 1).split(' '))) request.capabilities.set(name, value)
  }
  const command = parseCommand(nul < 0 ? line : line.slice(0, nul))
  request.commands.push(command.name.includes(UNDECODED) ? decodeAgain(command, payload, request) : command)
}

/** What stands for bytes that are not UTF-8, and may stand for itself. */
const UNDECODED = '\ufffd'

function decodeAgain(command: RefCommand, payload: Uint8Array, request: UnderConstruction): RefCommand {
  const end = [0, 10].map((byte) => payload.indexOf(byte)).find((at) => at >= 0)
  const bytes = payload.subarray(2 * SHA1.hexLength + 2, end)
  return isUtf8(bytes) ? command : { ...command, name: escapeName(bytes, request) }
}

function escapeName(bytes: Uint8Array, request: UnderConstruction): string {
  const name = escapeBytes(bytes)
  request.undecodable.set(name, bytes.slice())
  return name
}

function parseCommand(text: string): RefCommand {
  const width = SHA1.hexLength
  if (text[width] !== ' ' || text[2 * width + 1] !== ' ') throw new GitError('protocol', `Cannot read push: "${text.slice(0, 120)}" is not "old new ref"`)
  const name = text.slice(2 * width + 2)
  if (name === '' || name.includes('\0')) throw new GitError('protocol', 'Cannot read push: a ref name is empty or contains a NUL byte')
  if (name.length > MAX_NAME_LENGTH) throw new GitError('limit', `Cannot read push: a ref name is longer than ${MAX_NAME_LENGTH} characters`)
  return { old: oidOf(text.slice(0, width)), new: oidOf(text.slice(width + 1, 2 * width + 1)), name }
}

function oidOf(text: string): Oid {
  if (!isOid(text)) throw new GitError('protocol', `Cannot read push: "${text.slice(0, 64)}" is not an object id`)
  return text
}

async function readOptions(reader: PktReader): Promise<string[]> {
  const options: string[] = []
  for (;;) {
    const pkt = await reader.next()
    if (!pkt || pkt.type === 'flush') return options
    if (pkt.type !== 'data') throw new GitError('protocol', 'Cannot read push: a delimiter packet among the push options')
    const option = pktText(pkt.payload)
    if (options.length >= MAX_OPTIONS || option.length > MAX_OPTION_LENGTH)
      throw new GitError('limit', `Cannot read push: over ${MAX_OPTIONS} push options, or one over ${MAX_OPTION_LENGTH} characters`)
    options.push(option)
  }
}
