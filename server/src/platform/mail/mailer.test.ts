import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, test } from 'vitest';
import { htmlPart } from './html-part.ts';
import { createMailer, type Message } from './mailer.ts';

const folder = await mkdtemp(join(tmpdir(), 'caseway-mail-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const from = 'Caseway <no-reply@health.example>';
const message: Message = {
  id: '0b1c2d3e-0000-4000-8000-000000000001',
  to: 'inés@example.test',
  subject: 'Su código',
  text: 'Buenos días, su código está aquí; ¡no lo comparta con nadie, ni siquiera con quien diga llamar de nuestra parte!\n\n012345\n\nAdiós',
  language: 'es',
  at: new Date('2026-03-01T10:20:30.405Z'),
};

describe('[S10.2] outbox', () => {
  const outbox = join(folder, 'deep', 'outbox');
  const mailer = createMailer({ outbox, from });

  test('[S10.3] a message is one file with its code on a line of its own', async () => {
    await mailer.send(message);
    const [name, ...others] = await readdir(outbox);
    expect(others).toEqual([]);
    expect(name).toBe('2026-03-01T10-20-30.405Z-0b1c2d3e-0000-4000-8000-000000000001.eml');
    const text = await readFile(join(outbox, name!), 'utf8');
    expect(text.split('\n')).toContain('012345');
    expect(text).toContain('From: Caseway <no-reply@health.example>');
    expect(text).toContain('Content-Language: es');
    expect(text).toContain('Date: Sun, 01 Mar 2026 10:20:30');
  });

  test('is readable only by its owner', async () => {
    const [name] = await readdir(outbox);
    expect((await stat(outbox)).mode & 0o077).toBe(0);
    expect((await stat(join(outbox, name!))).mode & 0o077).toBe(0);
  });

  test('the same message sent again is still one file', async () => {
    await mailer.send(message);
    expect(await readdir(outbox)).toHaveLength(1);
  });
});

describe('the HTML part', () => {
  const publicUrl = 'https://health.example';
  const html = (more: Partial<Message>) => htmlPart({ ...message, ...more }, publicUrl);

  test('has the words of the plain part in its language, the code by itself, and loads nothing', () => {
    const made = html({});
    expect(made).toContain('<html lang="es" dir="ltr">');
    expect(made).toContain('Buenos días, su código está aquí; ¡no lo comparta con nadie');
    expect(made).toMatch(/<p style="[^"]*font-size:28px[^"]*">012345<\/p>/);
    expect(made).toContain('name="color-scheme" content="light dark"');
    expect(made).not.toMatch(/<(img|script|link|iframe|form)|src=|url\(|@import|(?<!-)color:#|background/);
  });

  test('names the department and its telephone number', () => {
    const made = html({ department: { name: 'Alder & Sons Health', phone: '(813) 555-0110', logo: null } });
    expect(made.match(/Alder &amp; Sons Health/g)).toHaveLength(2);
    expect(made).toContain('(813) 555-0110');
    expect(html({ department: { name: 'Alder', phone: '', logo: null } }).match(/Alder/g)).toHaveLength(1);
  });

  test('shows the logo in its own proportions on a light ground, with the name as its text', () => {
    // 400 × 80 pixels.
    const logo = Buffer.from('89504e470d0a1a0a0000000d494844520000019000000050', 'hex');
    const made = html({ department: { name: 'Alder "&" Sons', phone: '', logo } });
    expect(made).toContain(
      '<img src="cid:logo@caseway" alt="Alder &quot;&amp;&quot; Sons" width="220" height="44"',
    );
    expect(made).toContain('background:#ffffff');
    // The name is also below, where the plain part has it.
    expect(made.match(/Alder &quot;&amp;&quot; Sons/g)).toHaveLength(2);
  });

  test('takes names as text, whatever is in them', () => {
    const name = `"><img src=x onerror=alert(1)>'&<b>Eve</b>`;
    const made = html({
      subject: `</title><script>${name}`,
      text: `Hola ${name}:\n\n</p><script>alert(1)</script>`,
      department: { name, phone: '</p><a href="https://evil.example">', logo: null },
      language: '"><b',
    });
    expect(made).not.toMatch(/<(?!\/?(?:html|head|meta|title|style|body|div|p|br)\b|!doctype)/);
    expect(made.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)!.length).toBeGreaterThan(3);
  });

  test('links only addresses of the product', () => {
    const made = html({
      text: 'Abra https://health.example/es/sign-in. O https://health.example.evil.test/ o http://evil.test/"onclick="x',
    });
    expect(made.match(/href="[^"]*"/g)).toEqual(['href="https://health.example/es/sign-in"']);
    expect(made).toContain(
      '</a>. O https://health.example.evil.test/ o http://evil.test/&quot;onclick=&quot;x',
    );
  });
});

describe('SMTP', () => {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) =>
      done(
        address.startsWith('refused')
          ? Object.assign(new Error(`no ${address} here`), { responseCode: 550 })
          : undefined,
      ),
    onData(stream, _, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (part) => {
        text += part;
      });
      stream.on('end', () => {
        received.push(text);
        done();
      });
    },
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  test('a message goes to the server, and nothing to the outbox', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    const outbox = join(folder, 'unused');
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, outbox, from });
    await mailer.send({ ...message, to: 'ines@example.test' });
    expect(received).toHaveLength(1);
    expect(received[0]!.split('\r\n')).toContain('012345');
    await expect(stat(outbox)).rejects.toThrow('ENOENT');

    // A name that would begin another header or another part stays within its own line.
    const name = 'Alder\r\nBcc: eve@example.test\r\n\r\n<script>';
    await mailer.send({
      ...message,
      to: 'ines@example.test',
      subject: `${name} le invita`,
      department: { name, phone: '\n.\nRSET', logo: null },
    });
    const read = await PostalMime.parse(received[1]!);
    expect(read.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(read.subject).toBe('Alder Bcc: eve@example.test <script> le invita');
    expect(read.text!.trim().split('\n').slice(-3)).toEqual([
      '-- ',
      'Alder Bcc: eve@example.test <script>',
      '. RSET',
    ]);
    expect(read.html).toContain('Alder Bcc: eve@example.test &lt;script&gt;');
    expect(read.html).not.toContain('<script>');
    expect(read.attachments).toEqual([]);

    // [P16] The text of a refusal contains neither address nor text of the message.
    const refused = mailer.send({ ...message, to: 'refused@example.test' });
    await expect(refused).rejects.toThrow(/^the mail server did not take a message \(EENVELOPE 550\)$/);
    mailer.close();
  });

  test('a server that is away is an error in a few words', async () => {
    const mailer = createMailer({ smtpUrl: 'smtp://127.0.0.1:1', outbox: folder, from });
    await expect(mailer.send(message)).rejects.toThrow('the mail server did not take a message (ESOCKET)');
  });
});
