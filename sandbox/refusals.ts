// The errors that the sandbox returns for wrong calls. A refusal means that nothing happened.

const statuses = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  idempotency_mismatch: 409,
  duplicate_reference: 409,
  not_allowed: 422,
} as const

export type RefusalCode = keyof typeof statuses

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly param: string | null

  constructor(code: RefusalCode, message: string, param: string | null = null) {
    super(message)
    this.code = code
    this.param = param
  }

  get status(): number {
    return statuses[this.code]
  }

  get body(): object {
    return { error: { code: this.code, message: this.message, param: this.param } }
  }
}
