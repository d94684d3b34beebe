import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { parseOid } from '../objects/oid.ts'
import type { FetchSession } from './session.ts'
import type { PktWriter } from './sideband.ts'
import { checkWants } from './wants.ts'

/** Source: `Documentation/gitprotocol-v2.txt`, "object-info". */
export interface ObjectInfoRequest {
  size: boolean
  oids: Oid[]
}

/** @throws GitError `protocol` on a malformed line, `limit` on too many */
export function decodeObjectInfo(lines: readonly string[], limits: GitLimits): ObjectInfoRequest {
  const request: ObjectInfoRequest = { size: false, oids: [] }
  for (const line of lines) {
    if (line === 'size') request.size = true
    else if (line.startsWith('oid ')) request.oids.push(parseOid(line.slice('oid '.length)))
    else throw new GitError('protocol', `object-info: unexpected line "${line.slice(0, 80)}"`)
  }
  if (request.oids.length > limits.maxCommands) throw new GitError('limit', `object-info: more than ${limits.maxCommands} objects in one request`)
  return request
}

/** Answers with the sizes of objects that the viewer's refs reach. @throws GitError `protocol` on any other object */
export async function answerObjectInfo(request: ObjectInfoRequest, session: FetchSession, out: PktWriter): Promise<void> {
  await checkWants(session, request.oids)
  if (request.size) out.line('size')
  for (const oid of request.oids) {
    const size = session.context.store.findHeader(oid)?.size
    out.line(request.size ? `${oid} ${size}` : oid)
    if (out.isFull) await out.send()
    const wait = session.checkpoint()
    if (wait) await wait
  }
  out.flush()
  await out.send()
}
