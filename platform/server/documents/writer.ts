/** Writes a document part by part, so that a large one never exists as a whole outside its file. */
export interface Writer<Part> {
  add(part: Part): unknown
  end(): Promise<Uint8Array>
}
