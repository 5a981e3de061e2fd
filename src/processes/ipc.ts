/** Questions between a parent and its processes. One that cannot be sent, or has no answer in time, is null. */

/** The questions by name: the data of each, and its answer. */
export type Questions = {
  /** To the parent: this process takes payments now. */
  ready: { asked: null; answer: true }
  /** To the parent: settings were written; answered once the others have read them. */
  written: { asked: null; answer: true }
  /** To a process: another one has written settings. */
  read_settings: { asked: null; answer: true }
  /** To a process: its metrics. `whole`: including those of the database, which are the same for all. */
  metrics: { asked: { whole: boolean }; answer: unknown[] }
  /** To a process: does its event loop still turn? */
  alive: { asked: null; answer: true }
}

type Name = keyof Questions

export type Answers = { [N in Name]?: (asked: Questions[N]['asked']) => Promise<Questions[N]['answer']> }

type Message = { is: 'question'; n: number; what: Name; asked: unknown } | { is: 'answer'; n: number; answer: unknown }

export type Line = ReturnType<typeof openLine>

/** Opens one end of the line. `send`: sends a message to the other end; `answers`: the answers of this end. */
export function openLine(send: (message: Message) => void, answers: Answers) {
  const waiting = new Map<number, (answer: unknown) => void>()
  let asked = 0

  async function answer({ n, what, asked }: Message & { is: 'question' }): Promise<void> {
    const answer = answers[what] as ((asked: unknown) => Promise<unknown>) | undefined
    send({ is: 'answer', n, answer: (await answer?.(asked).catch(() => null)) ?? null })
  }

  return {
    receive(message: unknown): void {
      const received = message as Message
      if (received?.is === 'question') void answer(received)
      if (received?.is === 'answer') waiting.get(received.n)?.(received.answer)
    },

    /** Asks the other end, and waits so many milliseconds at most. */
    ask<N extends Name>(what: N, with_it: Questions[N]['asked'], within_ms: number): Promise<Questions[N]['answer'] | null> {
      const n = ++asked
      return new Promise(resolve => {
        const end = (answer: unknown) => {
          clearTimeout(timer)
          waiting.delete(n)
          resolve(answer as Questions[N]['answer'] | null)
        }
        const timer = setTimeout(end, within_ms, null)
        waiting.set(n, end)
        send({ is: 'question', n, what, asked: with_it })
      })
    },
  }
}
