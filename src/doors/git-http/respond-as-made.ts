import type { Context } from '#context.ts'
import { encodePkt } from '#git/protocol/pkt-line.ts'
import type { StreamCall } from '#git/workers/pool.ts'
import { AnswerMemory, type Room } from '#kernel/answers/answer-memory.ts'
import { diskProblem } from '#kernel/disk-trouble.ts'
import type { Reader } from '#kernel/pace.ts'
import { type ResponseBody, respond } from './body.ts'

interface Options {
  /** The worker has been asked. */
  begin?(call: StreamCall<unknown>): void
  /** Whether the client has been sent what went wrong: a connection that breaks off would keep it from reading that. */
  isTold?(error: unknown): boolean
  /** It is over, with what it threw if it did. */
  end(error?: unknown): void
  /** What the request takes meanwhile, which others may wait for, too. */
  held?: Room
}

/**
 * Answers with what a worker makes, which makes no more than the client takes, and is given up with it. It is asked once there is memory for the
 * answer. What keeps the worker from beginning is told as git reads it, where the disk is at fault: of a status git shows no more than the number.
 * @throws Problem 503 as `AnswerMemory` does
 */
export async function respondAsMade(
  context: Pick<Context, 'config' | 'services'>,
  start: () => StreamCall<unknown>,
  { begin, isTold = () => false, end, held }: Options,
): Promise<ResponseBody> {
  const room = await context.services.get(AnswerMemory).enter('stream')
  let call: StreamCall<unknown>
  try {
    call = start()
  } catch (error) {
    room.leave()
    throw error
  }
  const deadline = setTimeout(() => call.abort(), context.config.git.REQUEST_SECONDS * 1000)
  begin?.(call)
  let isBegun = false
  let told: unknown
  return respond(
    async (sink) => {
      try {
        for await (const bytes of call.outgoing) {
          isBegun = true
          await sink.write(bytes)
        }
        // What the client sends beyond what was answered does not matter.
        await call.result
      } catch (error) {
        const problem = isBegun ? undefined : diskProblem(error)
        if (problem) await sink.write(encodePkt(`ERR ${problem.message}\n`))
        else if (!isTold(error)) throw error
        told = error
      }
    },
    held ? readerOf(room, held) : room,
    {
      gone: () => call.abort(),
      end(error) {
        clearTimeout(deadline)
        call.abort()
        room.leave()
        end(error ?? told)
      },
    },
  )
}

/** A reader of an answer that takes two rooms, who is cut off for those that wait for either. */
function readerOf(answer: Room, request: Room): Reader {
  return { waitFor: (step, bytes) => answer.waitFor(request.waitFor(step, bytes), bytes) }
}
