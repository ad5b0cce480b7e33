import { readFile } from 'node:fs/promises';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, fail, ok } from '../finding.ts';

/** Where traces go, by a message without any: it is sent as they are, with their headers and authorities. */
export const traces: DoctorCheck = {
  name: 'traces',
  async run({ config: { tracing }, ask }) {
    if (!tracing) return [];
    const url = new URL(tracing.url);
    const action = {
      en: 'Look at OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS and _CERTIFICATE, and whether the receiver runs and takes OTLP by HTTP. Until then traces are lost, and nothing else.',
      ru: 'Посмотрите на OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS и _CERTIFICATE и на то, запущен ли приёмник и берёт ли он OTLP по HTTP. До тех пор теряются трассы, и только они.',
    };
    try {
      const ca = tracing.caFile === undefined ? undefined : await readFile(tracing.caFile, 'utf8');
      const { status } = await ask(url, {
        method: 'POST',
        headers: { ...tracing.headers, 'content-type': 'application/x-protobuf' },
        ca,
      });
      if (status >= 200 && status < 300)
        return [ok({ en: `${url.host} takes traces`, ru: `${url.host} принимает трассы` })];
      return [
        fail(
          { en: `${url.host} answers traces ${status}`, ru: `${url.host} отвечает трассам ${status}` },
          action,
        ),
      ];
    } catch (error) {
      return [
        fail(
          {
            en: `${url.host} does not answer: ${describeError(error)}`,
            ru: `${url.host} не отвечает: ${describeError(error)}`,
          },
          action,
        ),
      ];
    }
  },
};
