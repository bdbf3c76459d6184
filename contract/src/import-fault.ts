/**
 * Everything that can be wrong with an imported file, message or row. Keys are stable, and worded under
 * `importFault.<code>`; the English sentence is for logs, the command line and the file of refused rows.
 * `{name}` is a parameter. Parameters never contain the value of a patient's field, only names of fields,
 * message types, counts and limits.
 */
export const importFaults = {
  // The file as a whole.
  'file-empty': 'The file is empty.',
  'file-binary': 'This is not a text file.',
  'file-format-unsupported':
    'This is {format}; laboratory messages (HL7 v2) and tables (CSV) can be imported.',
  'file-not-delimited':
    'This is not a table: no comma, semicolon, tab or bar separates columns in its first lines. Remove any title above the headings.',
  'file-encoding-unsupported': 'The file is written in {encoding}; save it as UTF-8.',
  'file-header-missing': 'A batch trailer (BTS) or file trailer (FTS) has no FHS or BHS header.',
  'batch-header-missing': 'The batch header (BHS) is missing.',
  'batch-trailer-missing': 'The batch trailer (BTS) is missing.',
  'batch-count-wrong': 'The batch trailer (BTS-1) announces {announced} messages; {found} were found.',
  'batch-count-unreadable': 'The batch trailer does not say how many messages there are (BTS-1).',
  'file-trailer-missing': 'The file trailer (FTS) is missing; the file may have been cut off.',
  'file-trailer-unreadable': 'The file trailer does not say how many batches there are (FTS-1).',
  'more-notes': 'There are more notes about this file; the first {limit} are listed.',
  'file-count-wrong': 'The file trailer (FTS-1) announces {announced} batches; {found} were found.',
  // Part of a file that is not a message.
  'header-missing': 'There is no message header (MSH) before this text.',
  'message-too-large': 'The message is larger than {limit} bytes.',
  'too-many-segments': 'The message has more than {limit} segments.',
  'no-message-in-row': 'No HL7 message was found in this row.',
  // HL7: faults that make a message unusable or untraceable.
  'encoding-characters-invalid': 'MSH-2 must contain the four encoding characters, all different.',
  'field-missing': '{field} is missing: {name}.',
  'segment-missing': 'The {segment} segment is missing: {name}.',
  'message-type-invalid': 'MSH-9 contains no message type.',
  'not-elr': '{type} is not a laboratory report: {name}.',
  'case-notification': 'This is a case notification, not a laboratory report.',
  'sender-missing': 'The sender is not named (MSH-3 and MSH-4 are empty).',
  'patient-unidentifiable': 'The patient has neither an identifier nor a name (PID-3 and PID-5 are empty).',
  'several-patients': 'The message contains a second patient; a laboratory report is about one.',
  'results-missing': 'The message has no result: no OBX, or only answers to questions.',
  'observation-code-missing': 'The observation has no code (OBX-3).',
  // HL7: doubtful values, which are kept and reported.
  'charset-fallback': 'The text is not valid {declared}; it was read as {used}.',
  'charset-contradicted': 'MSH-18 says {declared}, but the text is valid {used} and was read as {used}.',
  'charset-unsupported': 'The character set {declared} (MSH-18) is not known; the text was read as {used}.',
  'characters-lost': 'Characters were lost before the text arrived (replacement characters).',
  'line-continued': 'A line without a segment name was read as a continuation of the line before.',
  'version-unexpected': 'The version (MSH-12) is not one of 2.1 to 2.9.',
  'processing-id-test': 'The message is marked for training or debugging (MSH-11).',
  'control-specimen': 'The specimen is a laboratory control (SPM-11); its results are not accepted.',
  'code-against-text':
    'The code and the text of this result contradict each other. Correct the wrong one and reprocess the message.',
  'test-code-against-name':
    'The code and the name of this test are for different diseases. Correct the wrong one and reprocess the message.',
  'number-for-answer':
    'This test needs an answer such as positive or negative, but the value is a number. Ask the laboratory what it means, replace it with the answer and reprocess the message.',
  'date-for-answer':
    'This test needs an answer such as positive or negative, but the value is a date or a time. Ask the laboratory for the answer, put it in its place and reprocess the message.',
  'value-not-sent-again':
    'The laboratory says that an earlier result is final or unchanged (OBX-11), but does not send its value again. Put the value of the earlier result in its place and reprocess the message.',
  'test-unknown': 'This test code or name has not been mapped yet.',
  'result-unknown': 'This result code or text has not been mapped yet.',
  'result-in-document':
    'The result is only in an attached document (OBX-5). Read it, put the answer into the message and reprocess it.',
  'unit-unknown':
    'The number cannot be interpreted in this unit. Correct the unit and reprocess the message.',
  'date-invalid': 'This is not a valid date or time.',
  'date-implausible': 'This date cannot be right.',
  'date-unspecified': 'The date is filled with a placeholder.',
  'date-in-future': 'This date is in the future. Correct it and reprocess the message.',
  'date-before-birth':
    'This date is before the person’s birth. Correct one of the two and reprocess the message.',
  'name-incomplete': 'The family name or the given name is missing.',
  'place-name-odd':
    'This is a date, a number or an identifier, not the name of a place. It was not stored as one.',
  'order-missing': 'The observation belongs to no order (OBR).',
  'order-number-missing': 'The order has neither a filler nor a placer number.',
  'value-type-unknown': 'The value type (OBX-2) is not known; the value was kept as text.',
  'value-not-of-type': 'The value does not match its type (OBX-2); it was kept as text.',
  'value-missing': 'A final result has no value (OBX-5).',
  'result-status-missing': 'The result has no status (OBX-11); it was read as {taken}.',
  'result-status-unknown': 'The result status (OBX-11) is not known; it was read as {taken}.',
  'check-digit-wrong': 'The check digit of this {system} code is wrong.',
  'observation-repeated':
    'The same observation appears twice in this order, word for word; it was stored once.',
  'observation-contradicted':
    'The same test appears twice in this order with different values; both were stored.',
  'too-many-repetitions': 'The field repeats more than {limit} times; the rest was left out.',
  'more-faults': '{more} more errors in this message are not listed.',
  // Delimited text.
  'header-row-missing':
    'The first row does not name the columns. Remove any title above the headings and give every column a heading.',
  'first-row-is-data':
    'The first row contains data, so the person in it is not read. Add a row of headings above it and upload the file again.',
  'header-row-repeated': 'The header row appears again in the middle of the file.',
  'column-repeated': 'Two columns have the same header; map only one of them.',
  'columns-unmapped': 'Required columns are not mapped: {columns}.',
  'condition-unchosen': 'The condition this list is about has not been chosen.',
  'case-column-unchosen':
    'This table may also include people who are not ill. Map the column that says who is a case, or say that every row is a case.',
  'case-untold': 'The row does not say whether this person is a case.',
  'case-contradicted': 'One column says that this person is a case, and another says the opposite.',
  'case-date-missing':
    'No date says when this person fell ill, was tested, diagnosed, admitted or reported. Add one and reprocess the row.',
  'treatment-date-missing': 'No date says when the treatment was given. Add it and reprocess the row.',
  'treatment-case-unknown':
    'No case of this condition is known for this person at that time. Import or open the case, then reprocess the row.',
  'treatment-case-unclear':
    'More than one case has this number. Add the condition or the name of the person and reprocess the row.',
  'drug-not-listed':
    'This is none of the listed medicines with a known dose and length. It was stored as it is written.',
  'date-order-unchosen': 'The order of day and month in this column is unclear. Choose it.',
  'rows-missing': 'The file has only a header row.',
  'row-too-long': 'The row has {found} values; the header has {expected}.',
  'row-too-short': 'The row has {found} values; the header has {expected}.',
  'row-unreadable': 'The row cannot be read: its quotation marks do not match.',
  'rest-unreadable': 'Too many rows could not be read; the rest of the file was not read.',
  'too-many-columns': 'The table has more than {limit} columns.',
  'row-too-large': 'The row is larger than {limit} bytes.',
  'value-required': 'A value is required here.',
  'value-unknown': 'This is not one of the accepted values.',
  'value-misspelt': 'This word is misspelled; the nearest known word was used.',
  'value-placeholder': 'This number stands for a missing value; it was left out.',
  'control-characters': 'Control characters were removed or replaced.',
  'value-too-long': 'The value is longer than {limit} characters.',
  'number-invalid': 'This is not a number.',
  'age-implausible': 'This age cannot be right.',
  'phone-invalid': 'This is not a complete phone number.',
  'email-invalid': 'This is not an email address.',
  'zip-invalid': 'This is not a ZIP code.',
  'clia-invalid': 'This is not a CLIA number.',
  'date-against-order':
    'In this date, day and month can only be in the opposite order to the rest of the column; it was read that way.',
  'dates-out-of-order': 'This date is before {before}.',
  // Storing.
  'not-storable': 'The message was read but could not be stored because of an error in Caseway.',
} as const;
export type ImportFaultCode = keyof typeof importFaults;
export const importFaultCodes = Object.keys(importFaults) as ImportFaultCode[];

/**
 * One fault with its place. `error`: the message or row is unusable. `warning`: stored with the accepted
 * content. `waits`: a person must decide before it can continue.
 */
export interface ImportFault {
  severity: 'error' | 'waits' | 'warning';
  code: ImportFaultCode;
  /** `MSH-10`, `PID[1]-7`, `OBX[3]-5.1` (the nth segment of that name), `file`, or a column's header. */
  place: string;
  /** The line of the file where the segment or row begins, from 1. */
  line?: number;
  /** The English sentence, without any value of a patient. */
  message: string;
  params?: Record<string, string>;
}

/** The English sentence of a fault with its parameters filled in. */
export function importFaultMessage(code: ImportFaultCode, params?: Record<string, string>): string {
  const sentence: string = importFaults[code];
  return params ? sentence.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '') : sentence;
}

/** A fault with its sentence filled in. */
export function importFault(
  severity: ImportFault['severity'],
  code: ImportFaultCode,
  place: string,
  line?: number,
  params?: Record<string, string>,
): ImportFault {
  return { severity, code, place, line, message: importFaultMessage(code, params), params };
}

/**
 * A fault in a reader's language; columns that it names are named as on the screens.
 * @param text the words of a key of the screens of imports, with parameters filled in; undefined without any
 */
export function faultInWords(
  { code, params, message }: { code: string; params?: Record<string, string>; message: string },
  text: (key: string, params?: Record<string, string>) => string | undefined,
): string {
  const columns = params?.columns
    ?.split(/,\s*/)
    .map((group) =>
      group
        .split('/')
        .map((field) => text(`csvField.${field.trim()}`) ?? field.trim())
        .join(' / '),
    )
    .join(', ');
  return text(`importFault.${code}`, { ...params, ...(columns ? { columns } : {}) }) ?? message;
}

/** The field that a fault is about; undefined for the whole file or row, or if the fault's text names it. */
export const placeOfFault = ({
  place,
  params,
}: {
  place: string;
  params?: Record<string, string>;
}): string | undefined => (place === 'file' || params?.field === place ? undefined : place);
