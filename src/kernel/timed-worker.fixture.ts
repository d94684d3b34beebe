import { READY } from './job-thread.ts'

/** Stands in for a thread by the timers of a test: it takes 100 milliseconds to start, and as many for a job as its number says. */
export class TimedWorker {
  onmessage: (event: { data: unknown }) => void = () => {}
  readonly jobs: number[] = []
  #timer: Timer

  constructor() {
    this.#timer = this.#say(READY, 100)
  }

  postMessage(job: number): void {
    this.jobs.push(job)
    this.#timer = this.#say({ double: 2 * job }, job)
  }

  terminate(): void {
    clearTimeout(this.#timer)
  }

  unref(): void {}

  #say(data: unknown, milliseconds: number): Timer {
    return setTimeout(() => this.onmessage({ data }), milliseconds)
  }
}
