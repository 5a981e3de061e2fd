type Closes = () => unknown

export type Stages = ReturnType<typeof openStages>

export function openStages() {
  const stages: Record<string, Closes>[] = []
  const closing = new Set<string>()

  async function closed(name: string, close: Closes): Promise<void> {
    closing.add(name)
    try {
      await close()
    } finally {
      closing.delete(name)
    }
  }

  return {
    /** Notes an opened stage by its name, or several that are closed at the same time. */
    opened(stage: Record<string, Closes>): void {
      stages.push(stage)
    },
    closes: (): string => [...closing].join(', ') || 'nothing',
    /** A stage that fails to close leaves no other open; its error is thrown once the last is closed. */
    async close(): Promise<void> {
      const errors: unknown[] = []
      for (let stage = stages.pop(); stage; stage = stages.pop()) {
        const results = await Promise.allSettled(Object.entries(stage).map(([name, close]) => closed(name, close)))
        for (const result of results) if (result.status === 'rejected') errors.push(result.reason)
      }
      if (errors.length > 1) throw new AggregateError(errors, `${errors.length} stages of the service did not close`)
      if (errors.length === 1) throw errors[0]
    },
  }
}
