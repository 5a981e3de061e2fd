/**
 * Type checks of requests against the types that vendors publish in their own npm packages. TypeScript looks for
 * unknown members only in a literal that is written in place, and never in an object that a call has built; processors
 * refuse unknown members in both.
 */

type Scalar = string | number | boolean | null | undefined

/**
 * The vendor's type of a member, in any of the shapes that the member may have; `never` if the vendor does not know a
 * member of this name.
 */
type Known<Vendor, Name> = Vendor extends object ? (Name extends keyof Vendor ? Exclude<Vendor[Name], undefined> : never) : never

/** The paths of members, at any depth, that the vendor does not know: `threeDS2RequestData.deviceChannel`. */
export type Strange<Given, Vendor, Above extends string = ''> = Given extends Scalar
  ? never
  : Given extends readonly (infer Item)[]
    ? Strange<Item, Vendor extends readonly (infer VendorItem)[] ? VendorItem : never, `${Above}[].`>
    : {
        [Name in keyof Given & string]-?: [Known<Vendor, Name>] extends [never]
          ? `${Above}${Name}`
          : Strange<Given[Name], Known<Vendor, Name>, `${Above}${Name}.`>
      }[keyof Given & string]

/** Takes a request only if it fits the vendor's type and has no member, at any depth, that this type does not have. */
export const exactly =
  <Vendor>() =>
  <Given extends Vendor>(
    given: Given & ([Strange<Given, Vendor>] extends [never] ? unknown : { unknown_to_the_vendor: Strange<Given, Vendor> }),
  ): Given =>
    given

/** A vendor's type with each enum replaced by its string values. */
export type Plain<T> = T extends string
  ? `${T}`
  : T extends number | boolean | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? Plain<Item>[]
      : { [Name in keyof T]: Plain<T[Name]> }
