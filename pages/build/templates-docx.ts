import {
  AlignmentType,
  BorderStyle,
  Document,
  type IBaseParagraphStyleOptions,
  type IParagraphOptions,
  LevelFormat,
  LineRuleType,
  Packer,
  Paragraph,
  Tab,
  TabStopType,
  TextRun,
} from 'docx'
import {
  type Block,
  BULLET_INDENT,
  type Kind,
  LANGUAGE,
  LOOKS,
  type Look,
  MADE,
  PAPERS,
  RULE_WIDTH,
  sideOf,
  TEXT,
  type Template,
} from './templates-source.ts'

/** Word's own styles where they exist, so that its navigation and style list recognize them. */
const BUILT_IN: Partial<Record<Kind, string>> = {
  name: 'Title',
  heading: 'Heading1',
  entry: 'Heading2',
  bullet: 'ListParagraph',
}
const BULLETS = 'bullets'

/** The template to edit in Word. The same source gives the same bytes. */
export async function makeDocx({ title, paper, blocks }: Template): Promise<Buffer> {
  // docx and its zip read the time from the clock and can't be given one.
  const Clock = globalThis.Date
  class StoppedClock extends Clock {
    constructor() {
      super(MADE)
    }
  }
  globalThis.Date = StoppedClock as DateConstructor
  try {
    return await Packer.toBuffer(
      new Document({
        title,
        creator: 'Superday',
        lastModifiedBy: 'Superday',
        styles: listStyles(),
        numbering: { config: [{ reference: BULLETS, levels: [bulletLevel] }] },
        sections: [
          {
            properties: {
              page: {
                size: { width: twips(PAPERS[paper].width), height: twips(PAPERS[paper].height) },
                margin: {
                  top: twips(TEXT.top),
                  bottom: twips(TEXT.top),
                  left: twips(sideOf(paper)),
                  right: twips(sideOf(paper)),
                },
              },
            },
            children: blocks.map(toParagraph),
          },
        ],
      }),
    )
  } finally {
    globalThis.Date = Clock
  }
}

const bulletLevel = {
  level: 0,
  format: LevelFormat.BULLET,
  text: '•',
  alignment: AlignmentType.LEFT,
  style: {
    paragraph: { indent: { left: twips(BULLET_INDENT), hanging: twips(BULLET_INDENT) } },
  },
}

function toParagraph({ kind, text, label, dates }: Block): Paragraph {
  const children = [
    ...(label ? [new TextRun({ text: label, bold: true }), new TextRun(' ')] : []),
    new TextRun(text),
    ...(dates ? [new TextRun({ children: [new Tab(), dates], bold: false })] : []),
  ]
  return new Paragraph({
    children,
    style: BUILT_IN[kind] ?? kind,
    ...(kind === 'bullet' ? { numbering: { reference: BULLETS, level: 0 } } : {}),
  })
}

function listStyles() {
  const own = (Object.keys(LOOKS) as Kind[]).filter((kind) => !BUILT_IN[kind])
  return {
    default: {
      document: {
        run: {
          font: 'Times New Roman',
          size: LOOKS.bullet.size * 2,
          color: '000000',
          language: { value: LANGUAGE },
        },
      },
      title: toStyle(LOOKS.name),
      heading1: toStyle(LOOKS.heading, { outlineLevel: 0, keepNext: true }),
      heading2: toStyle(LOOKS.entry, {
        outlineLevel: 1,
        keepNext: true,
        tabStops: [{ type: TabStopType.RIGHT, position: twips(TEXT.width) }],
      }),
      listParagraph: toStyle(LOOKS.bullet),
    },
    paragraphStyles: [
      { id: 'Normal', name: 'Normal', quickFormat: true },
      ...own.map((kind) => ({
        id: kind,
        name: toName(kind),
        basedOn: 'Normal',
        quickFormat: true,
        ...toStyle(LOOKS[kind]),
      })),
    ],
  }
}

function toStyle(look: Look, more: IParagraphOptions = {}): IBaseParagraphStyleOptions {
  return {
    run: { size: look.size * 2, bold: look.isBold, italics: look.isItalic, color: '000000' },
    paragraph: {
      alignment: look.isCentered ? AlignmentType.CENTER : AlignmentType.LEFT,
      spacing: {
        before: twips(look.before),
        after: 0,
        line: twips(look.line),
        lineRule: LineRuleType.EXACT,
      },
      ...(look.isRuled
        ? {
            border: {
              bottom: {
                style: BorderStyle.SINGLE,
                size: RULE_WIDTH * 8,
                space: 0,
                color: '000000',
              },
            },
          }
        : {}),
      ...more,
    },
  }
}

function twips(points: number): number {
  return Math.round(points * 20)
}

/** Turns 'letterDate' into 'Letter date', for Word's style list. */
function toName(kind: Kind): string {
  const words = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
