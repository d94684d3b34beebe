import { Unprocessable } from '../kernel/errors.ts'
import { JobThread } from '../kernel/job-thread.ts'
import type { Answers, Check, Job, ReadKey } from './job.ts'

/** One thread for all: it keeps nothing between jobs. */
export const signatureThread = new JobThread<Job, Answers[Job['kind']]>(
  'check the key or signature',
  () => new Worker(new URL('./signature-worker.ts', import.meta.url).href),
)

/** @throws Unprocessable for a key that cannot be taken, and when it takes too long; Problem 503 when too many wait */
export async function readKey(armored: string, now: number): Promise<ReadKey> {
  const answer = (await signatureThread.run({ kind: 'read', armored, now })) as Answers['read']
  if ('refused' in answer) throw new Unprocessable(`Cannot use the GPG key: ${answer.refused}`)
  return answer.key
}

/**
 * Which of the signatures are good; the last of many may be missing, when the first took long.
 * @throws Unprocessable when it takes too long; Problem 503 when too many wait
 */
export async function checkSignatures(checks: readonly Check[]): Promise<boolean[]> {
  return ((await signatureThread.run({ kind: 'check', checks })) as Answers['check']).good
}
