import type { SendMailOptions } from 'nodemailer'
import { waitAtMost } from '#kernel/wait-at-most.ts'

/**
 * Hands a message to a program of this machine that takes mail as sendmail does, on its standard input: always the same program with the same
 * arguments, but for the addresses, which stand behind `--`. No shell is asked. A signal of `message` ends the program.
 * @throws Error with the start of what it complained of
 */
export async function handOver(path: string, message: SendMailOptions & { signal: AbortSignal }, from: string, to: string): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const composed = await createTransport({ streamTransport: true, buffer: true, newline: 'unix' }).sendMail(message)
  const program = Bun.spawn([path, '-i', '-f', from, '--', to], {
    stdin: composed.message as Buffer<ArrayBuffer>,
    stdout: 'ignore',
    stderr: 'pipe',
    signal: message.signal,
    killSignal: 'SIGKILL',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
  })
  const complaint = new Complaint(program.stderr)
  const code = await program.exited
  // A child that it left behind may hold the pipe open.
  await waitAtMost(complaint.isOver, 100)
  if (code !== 0) throw new Error(`${path} exited with ${program.signalCode ?? code}: ${complaint.text}`)
}

const MAX_COMPLAINT = 1000

/** The first of what a program says to its standard error; all of it is read. */
class Complaint {
  text = ''
  readonly isOver: Promise<void>

  constructor(stream: ReadableStream<Uint8Array>) {
    this.isOver = this.#read(stream)
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of stream) this.text = (this.text + decoder.decode(chunk, { stream: true })).slice(0, MAX_COMPLAINT)
  }
}
