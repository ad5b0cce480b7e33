import type { ErrorCode } from '@pult/contract';
import type { WirenBoardSettings } from '../../config/wiren-board-settings.ts';
import { createTemporaryCertificate } from '../../features/certificates/index.ts';
import { withoutBrackets } from '../../platform/network.ts';
import type { Examination } from '../examination.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

const refused: ErrorCode = 'certificate_header_refused';
/** No agent makes that call: whoever is taken for a controller is answered 404, and enrols nothing. */
const noCall = 'doctor/';

/** What a stranger would send who wants to be taken for a Wiren Board controller: none of it may come through the proxy. */
export async function tryForgedCertificates(
  examination: Examination,
  { agentUrl, proxySecret }: WirenBoardSettings,
): Promise<Finding[]> {
  const { config } = examination;
  const agent = new URL(noCall, agentUrl);
  const { cert } = await createTemporaryCertificate([agent.hostname], 'wirenboard-DOCTOR');
  const verdict = { 'x-ssl-client-verify': 'SUCCESS' };
  const forgeries = [verdict, { ...verdict, 'x-ssl-client-cert': encodeURIComponent(cert) }];
  const own = new URL(agent.pathname, config.http.publicUrl);
  const send = async (url: URL, headers: Record<string, string>) => {
    const { text } = await examination.ask(url, {
      headers: { host: agent.host, ...headers },
      connectTo: withoutBrackets(own.hostname),
      isTrusting: true,
    });
    return text.includes(`"${refused}"`);
  };
  // TLS for the one name, and HTTP for the other, may lead to another part of the proxy.
  const tried = [agent, own].flatMap((url) => forgeries.map((headers) => send(url, headers)));
  const results = await Promise.allSettled(tried);
  const missing =
    config.http.isSecure || proxySecret !== undefined
      ? []
      : [
          warn(
            {
              en: 'no Wiren Board controller can prove who it is: TLS ends at the proxy, and WB_PROXY_SECRET is not set',
              ru: 'контроллеры Wiren Board не могут подтвердить, кто они: TLS завершает прокси, а WB_PROXY_SECRET не задан',
            },
            {
              en: 'Set up proxy and server as “Behind a proxy” in docs/wiren-board.md describes.',
              ru: 'Настройте прокси и сервер по разделу «Behind a proxy» в docs/wiren-board.md.',
            },
          ),
        ];
  return [...missing, judge(results)];
}

function judge(results: readonly PromiseSettledResult<boolean>[]): Finding {
  if (results.some((result) => result.status === 'fulfilled' && result.value)) {
    return fail(
      {
        en: 'the proxy passes on X-SSL-Client-Cert and X-SSL-Client-Verify of strangers: they can pretend to be a controller',
        ru: 'прокси пропускает X-SSL-Client-Cert и X-SSL-Client-Verify от посторонних: они могут выдать себя за контроллер',
      },
      {
        en: 'Clear both headers for every name in the proxy, as the files in deploy/ do, and set X-SSL-Client-Cert for agent.… alone: docs/wiren-board.md.',
        ru: 'Очищайте оба заголовка в прокси для всех имён, как в файлах из deploy/, и задавайте X-SSL-Client-Cert только для agent.…: docs/wiren-board.md.',
      },
    );
  }
  const failed = results.filter((result) => result.status === 'rejected');
  // A proxy that wants a certificate may end the handshake of who has none: nothing has come through.
  if (failed.length < results.length)
    return ok({
      en: 'passes on no certificate that a stranger has put into a header',
      ru: 'не пропускает сертификаты, которые посторонний записал в заголовок',
    });
  return warn(
    {
      en: `forged certificate headers could not be tried: ${describeError(failed[0]?.reason)}`,
      ru: `проверить поддельные заголовки с сертификатом не удалось: ${describeError(failed[0]?.reason)}`,
    },
    {
      en: 'Check that the proxy answers at PUBLIC_URL.',
      ru: 'Проверьте, отвечает ли прокси по PUBLIC_URL.',
    },
  );
}
