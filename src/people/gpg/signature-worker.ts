import { type JobFailure, READY } from '#kernel/job-thread.ts'
import type { Answers, Check, Job } from './job.ts'
import { isSignedBy, KeyRefused, openCertificate, readPublicKey } from './openpgp.ts'
import { isSshSigned } from './ssh-signature.ts'

type Answer = Answers[Job['kind']] | JobFailure

/** The entry of the signature thread: one job at a time, each answered in turn. */
declare const self: { onmessage: (event: MessageEvent<Job>) => void; postMessage: (answer: typeof READY | Answer) => void }

/** What git signs for. Source: git's `gpg-interface.c`. */
const NAMESPACE = 'git'
/** A page of fifty takes fifty milliseconds, unless its key was made to be slow. */
const BUDGET_MS = 500

self.onmessage = async ({ data }) => self.postMessage(await attempt(data))
self.postMessage(READY)

async function attempt(job: Job): Promise<Answer> {
  try {
    if (job.kind === 'read') return { key: await readPublicKey(job.armored, job.now) }
    return { good: await checkAll(job.checks) }
  } catch (error) {
    if (error instanceof KeyRefused) return { refused: error.message }
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** One by one: a page of commits is mostly by one key, which is opened once. What is over the budget is left for the next time. */
async function checkAll(checks: readonly Check[]): Promise<boolean[]> {
  const opened = new Map<Uint8Array, ReturnType<typeof openCertificate>>()
  const good: boolean[] = []
  const end = performance.now() + BUDGET_MS
  for (const check of checks) {
    if (performance.now() > end) break
    good.push(await isGood(check, opened).catch(() => false))
  }
  return good
}

async function isGood(check: Check, opened: Map<Uint8Array, ReturnType<typeof openCertificate>>): Promise<boolean> {
  if (check.kind === 'ssh') return isSshSigned(check.signature, NAMESPACE, check.payload)
  const certificate = opened.get(check.certificate) ?? openCertificate(check.certificate)
  opened.set(check.certificate, certificate)
  return isSignedBy(await certificate, check.signature, check.payload)
}
