import { GitError } from '../errors.ts'
import type { UploadContext } from './context.ts'
import type { PktWriter } from './sideband.ts'
import { BAND_ERROR } from './sideband.ts'

/** Kinds of error that are the client's doing, and do not belong in a log. */
const clientsOwn: ReadonlySet<string> = new Set(['protocol', 'limit', 'refused'])

/** A failure that has been reported to the client already. */
export class ReportedError extends Error {}

/** What a client may read of an error. */
export function textFor(error: unknown): string {
  return error instanceof GitError ? error.message : 'upload-pack: internal error'
}

/** Does `work` and reports its failure to the client. @throws what is not the client's own fault */
export async function reportErrors(context: Pick<UploadContext, 'signal'>, out: PktWriter, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (context.signal?.aborted) throw error
    const cause = error instanceof ReportedError ? error.cause : error
    if (cause === error) await report(out, textFor(error))
    if (!(cause instanceof GitError && clientsOwn.has(cause.kind))) throw cause
  }
}

async function report(out: PktWriter, text: string): Promise<void> {
  if (out.sideband) out.band(BAND_ERROR, text)
  else out.line(`ERR ${text}`)
  await out.send()
}
