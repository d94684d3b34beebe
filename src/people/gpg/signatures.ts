import { Unprocessable } from '#kernel/errors.ts'
import { JobThread } from '#kernel/job-thread.ts'
import type { Answers, Check, Job, ReadKey } from './job.ts'

/** One thread for all: it keeps nothing between jobs. */
export const signatureThread = new JobThread<Job, Answers[Job['kind']]>(
  'check the key or signature',
  () => new Worker(new URL('./signature-worker.ts', import.meta.url).href),
)

/** An honest page takes fifty milliseconds, and the thread leaves what does not fit into half a second for the next time. */
const MAX_MS = 2000
const termsFor = (userId: number) => ({ line: `user ${userId}`, milliseconds: MAX_MS })

/**
 * @param userId who waits for nobody else's many
 * @throws Unprocessable for a key that cannot be taken, and when it takes too long; Problem 503 when too many wait
 */
export async function readKey(armored: string, now: number, userId: number): Promise<ReadKey> {
  const answer = (await signatureThread.run({ kind: 'read', armored, now }, termsFor(userId))) as Answers['read']
  if ('refused' in answer) throw new Unprocessable(`Cannot use the GPG key: ${answer.refused}`)
  return answer.key
}

/**
 * Which of the signatures are good; the last of many may be missing, when the first took long.
 * @param userId whose keys they are to be by
 * @throws Unprocessable when it takes too long; Problem 503 when too many wait
 */
export async function checkSignatures(checks: readonly Check[], userId: number): Promise<boolean[]> {
  return ((await signatureThread.run({ kind: 'check', checks }, termsFor(userId))) as Answers['check']).good
}
