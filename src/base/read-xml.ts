import { parseXml, type XmlElement } from '@rgrove/parse-xml'

/**
 * Reads an XML document. It throws where the text is not well-formed. Line ends become `\n` first, as XML demands
 * (https://www.w3.org/TR/xml/#sec-line-ends): the library takes quadratic time to do so.
 */
export const readXml = (text: string): XmlElement | null => parseXml(text.replace(/\r\n?/g, '\n')).root
