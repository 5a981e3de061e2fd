/** The part of @20minutes/s3rver that our tests use; the package has no types. */
declare module '@20minutes/s3rver' {
  type Options = {
    port: number
    address: string
    silent: boolean
    directory: string
    configureBuckets: { name: string; configs: never[] }[]
  }
  export default class S3rver {
    constructor(options: Options)
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
