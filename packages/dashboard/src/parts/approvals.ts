import { useNavigate } from '@tanstack/react-router'

/**
 * Returns a function that takes an answer and opens the approval in it. An answer has an `approval_id` if the request
 * waits for a second person.
 */
export function useOpenApproval(): (response: unknown) => void {
  const navigate = useNavigate()
  return response => {
    const { approval_id } = (response ?? {}) as { approval_id?: string }
    if (approval_id !== undefined) void navigate({ to: '/approvals', search: { asked: approval_id } as never })
  }
}
