import { useNavigate } from '@tanstack/react-router'

/** Goes to what waits for a second person, where that is what a request was answered with. */
export function useHeld(): (said: unknown) => void {
  const navigate = useNavigate()
  return said => {
    const { approval_id } = (said ?? {}) as { approval_id?: string }
    if (approval_id !== undefined) void navigate({ to: '/approvals', search: { asked: approval_id } as never })
  }
}
