import { type Zippable, zipSync } from 'fflate'
import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import type { Question } from '../question.ts'
import { escapeXml } from './escape-xml.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const QTI = 'http://www.imsglobal.org/xsd/imsqtiasi_v3p0'
/** A zip names a time for each file: always this one, so that the same questions are the same file. */
const SOME_TIME = '2000-01-01T12:00:00'

/** A QTI 3 package: a zip with an item each, a test that names them in their order, and a manifest. */
export function writeQti3(questions: readonly Question[]): Uint8Array {
  const items = questions.map((question, index) => ({
    id: `q${String(index + 1).padStart(3, '0')}`,
    question,
  }))
  const files: Record<string, string> = {
    'imsmanifest.xml': writeManifest(items),
    'test.xml': writeTest(items),
    ...Object.fromEntries(
      items.map(({ id, question }) => [`items/${id}.xml`, writeItem(id, question)]),
    ),
  }
  const zippable: Zippable = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  )
  return zipSync(zippable, { mtime: SOME_TIME })
}

interface Item {
  id: string
  question: Question
}

function writeItem(id: string, { question, options, answer, explanation, why }: Question): string {
  const choices = OPTION_LETTERS.map((letter) => {
    const because = why[letter]
    return `      <qti-simple-choice identifier="${letter}">${markUp(options[letter])}${
      because
        ? `<qti-feedback-inline outcome-identifier="FEEDBACK" identifier="${letter}" show-hide="show">${markUp(because)}</qti-feedback-inline>`
        : ''
    }</qti-simple-choice>
`
  })
  return `${HEAD}<qti-assessment-item xmlns="${QTI}" identifier="${id}" title="${id}" adaptive="false" time-dependent="false" xml:lang="en">
  <qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="identifier">
    <qti-correct-response><qti-value>${answer}</qti-value></qti-correct-response>
  </qti-response-declaration>
  <qti-outcome-declaration identifier="SCORE" cardinality="single" base-type="float">
    <qti-default-value><qti-value>0</qti-value></qti-default-value>
  </qti-outcome-declaration>
  <qti-outcome-declaration identifier="FEEDBACK" cardinality="single" base-type="identifier"/>
  <qti-outcome-declaration identifier="GENERAL" cardinality="single" base-type="identifier">
    <qti-default-value><qti-value>EXPLANATION</qti-value></qti-default-value>
  </qti-outcome-declaration>
  <qti-item-body>
    <qti-choice-interaction response-identifier="RESPONSE" shuffle="false" max-choices="1">
      <qti-prompt>${markUp(question)}</qti-prompt>
${choices.join('')}    </qti-choice-interaction>
  </qti-item-body>
  <qti-response-processing>
    <qti-set-outcome-value identifier="FEEDBACK"><qti-variable identifier="RESPONSE"/></qti-set-outcome-value>
    <qti-response-condition>
      <qti-response-if>
        <qti-match><qti-variable identifier="RESPONSE"/><qti-correct identifier="RESPONSE"/></qti-match>
        <qti-set-outcome-value identifier="SCORE"><qti-base-value base-type="float">1</qti-base-value></qti-set-outcome-value>
      </qti-response-if>
    </qti-response-condition>
  </qti-response-processing>
${
  explanation
    ? `  <qti-modal-feedback outcome-identifier="GENERAL" identifier="EXPLANATION" show-hide="show"><qti-content-body><p>${markUp(explanation)}</p></qti-content-body></qti-modal-feedback>\n`
    : ''
}</qti-assessment-item>
`
}

/** Lines of a text; elsewhere XML draws a line break as a blank. */
const markUp = (text: string) => escapeXml(text).replaceAll('\n', '<br/>')

function writeTest(items: readonly Item[]): string {
  const refs = items.map(
    ({ id }) => `      <qti-assessment-item-ref identifier="${id}" href="items/${id}.xml"/>\n`,
  )
  return `${HEAD}<qti-assessment-test xmlns="${QTI}" identifier="test" title="test">
  <qti-test-part identifier="part" navigation-mode="nonlinear" submission-mode="simultaneous">
    <qti-assessment-section identifier="section" title="section" visible="true">
${refs.join('')}    </qti-assessment-section>
  </qti-test-part>
</qti-assessment-test>
`
}

function writeManifest(items: readonly Item[]): string {
  const resources = items.map(
    ({ id }) =>
      `    <resource identifier="${id}" type="imsqti_item_xmlv3p0" href="items/${id}.xml"><file href="items/${id}.xml"/></resource>\n`,
  )
  const dependencies = items.map(({ id }) => `<dependency identifierref="${id}"/>`)
  return `${HEAD}<manifest xmlns="http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1" identifier="questions">
  <metadata><schema>QTI Package</schema><schemaversion>3.0.0</schemaversion></metadata>
  <organizations/>
  <resources>
    <resource identifier="test" type="imsqti_test_xmlv3p0" href="test.xml"><file href="test.xml"/>${dependencies.join('')}</resource>
${resources.join('')}  </resources>
</manifest>
`
}
