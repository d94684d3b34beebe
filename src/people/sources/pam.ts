import { JobThread } from '#kernel/job-thread.ts'
import type { PamConfig } from './config.ts'
import { type FoundPerson, SourceUnavailable } from './found.ts'
import type { PamAnswer, PamJob } from './pam-job.ts'

type Thread = JobThread<PamJob, PamAnswer>

/** A module may take its time, and others want to sign in meanwhile. */
const THREADS = 4

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
    if (process.platform !== 'linux') throw new SourceUnavailable('Cannot ask PAM: it is asked on Linux alone')
    const job = { service: config.service_name, user: name, password, directory: this.directory }
    const { name: found, trouble } = await this.#run(job, config.timeout_seconds * 1000)
    if (trouble !== undefined) throw new SourceUnavailable(`Cannot ask PAM: ${trouble}`)
    if (found === undefined) return undefined
    const local = found.replace(/(?<=.)@.*$/s, '')
    const email = found.includes('@') ? found : config.email_domain === '' ? '' : `${local}@${config.email_domain}`
    return { loginName: found, name: local, email }
  }

  async #run(job: PamJob, milliseconds: number): Promise<PamAnswer> {
    const thread = await this.#take()
    try {
      return await thread.run(job, { milliseconds })
    } catch (cause) {
      throw new SourceUnavailable('Cannot ask PAM: it does not answer in time', { cause })
    } finally {
      this.#giveBack(thread)
    }
  }

  /** One that nobody uses: whoever waits behind a slow module would wait for nothing. */
  #take(): Thread | Promise<Thread> {
    const free = this.#free.pop()
    if (free) return free
    if (this.#threads.length === THREADS) return new Promise((resolve) => this.#waiting.push(resolve))
    const thread: Thread = new JobThread('ask PAM', () => new Worker(new URL('./pam-worker.ts', import.meta.url).href))
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
