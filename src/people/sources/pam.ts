import { messageOf } from '#kernel/errors.ts'
import { JobThread } from '#kernel/job-thread.ts'
import type { PamConfig } from './config.ts'
import { type FoundPerson, SourceUnavailable } from './found.ts'
import type { PamAnswer, PamJob } from './pam-job.ts'

type Thread = JobThread<PamJob, PamAnswer>

/** A module may take its time, and others want to sign in meanwhile. */
const THREADS = 4
/** As long as a timer can be, in milliseconds. */
const FOR_EVER = 2_147_483_647

/** Asks the PAM of this machine, on threads of its own. */
export class Pam implements Disposable {
  /** Where service files are; undefined: where the system has them. */
  directory: string | undefined
  readonly #threads: Thread[] = []
  readonly #free: Thread[] = []
  readonly #waiting: ((thread: Thread) => void)[] = []

  /**
   * Whether somebody has this password on this machine, and may use it now.
   * @throws SourceUnavailable where there is no PAM, or the service is not set up, or it takes too long
   */
  async signIn(config: PamConfig, name: string, password: string): Promise<FoundPerson | undefined> {
    if (process.platform !== 'linux') throw new SourceUnavailable('PAM is only available on Linux')
    const job = { service: config.service_name, user: name, password, directory: this.directory }
    const { name: found, trouble } = await this.#run(job, config.timeout_seconds * 1000)
    if (trouble !== undefined) throw new SourceUnavailable(`PAM request failed: ${trouble}`)
    if (found === undefined) return undefined
    const local = found.replace(/(?<=.)@.*$/s, '')
    const email = found.includes('@') ? found : config.email_domain === '' ? '' : `${local}@${config.email_domain}`
    return { loginName: found, name: local, email }
  }

  async #run(job: PamJob, milliseconds: number): Promise<PamAnswer> {
    const signal = AbortSignal.timeout(milliseconds)
    const late = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new SourceUnavailable('PAM request failed: PAM did not respond in time'))),
    )
    return Promise.race([this.#ask(job, signal), late])
  }

  /** A module that hangs keeps its thread, whoever waits for it no more: a thread cannot be ended inside a library, and each new one would hang as well. */
  async #ask(job: PamJob, signal: AbortSignal): Promise<PamAnswer> {
    const thread = await this.#take(signal)
    try {
      return await thread.run(job, { milliseconds: FOR_EVER, signal })
    } catch (cause) {
      throw new SourceUnavailable(`PAM request failed: ${messageOf(cause)}`, { cause })
    } finally {
      this.#giveBack(thread)
    }
  }

  #take(signal: AbortSignal): Thread | Promise<Thread> {
    const free = this.#free.pop() ?? this.#add()
    if (free) return free
    const { promise, resolve, reject } = Promise.withResolvers<Thread>()
    this.#waiting.push(resolve)
    signal.addEventListener('abort', () => {
      const at = this.#waiting.indexOf(resolve)
      if (at >= 0) this.#waiting.splice(at, 1)
      reject(new SourceUnavailable('PAM request failed: PAM did not respond in time'))
    })
    return promise
  }

  #add(): Thread | undefined {
    if (this.#threads.length === THREADS) return undefined
    const thread: Thread = new JobThread('query PAM', () => new Worker(new URL('./pam-worker.ts', import.meta.url).href))
    this.#threads.push(thread)
    return thread
  }

  #giveBack(thread: Thread): void {
    const next = this.#waiting.shift()
    if (next) next(thread)
    else this.#free.push(thread)
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads) thread.stop()
  }
}
