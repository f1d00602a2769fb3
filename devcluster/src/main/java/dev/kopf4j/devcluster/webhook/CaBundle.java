package dev.kopf4j.devcluster.webhook;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;

/**
 * Authorities that clients send for a webhook: {@code ValidateCABundle} in {@code pkg/util/webhook/validation.go} of
 * the apiserver library, {@code rootCertPool} in {@code transport/transport.go} of client-go, v1.33. Pure.
 */
public final class CaBundle {
    private static final String DASHES = "-----";
    private static final String BEGIN = DASHES + "BEGIN ";
    private static final String END = "\n" + DASHES + "END ";
    private static final String UNUSABLE = "unable to load root certificates: ";

    private CaBundle() {}

    /**
     * What is wrong with a bundle; empty if it has a certificate, or nothing at all.
     *
     * @param encoded in Base64, as in the API
     */
    public static String problem(String encoded) {
        byte[] bytes = Base64.getDecoder().decode(encoded);
        if (bytes.length == 0) {
            return "";
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String problem = "";
        int end = 0;
        int foot = 0;
        int begin = text.indexOf(BEGIN);
        while (begin >= 0) {
            int line = text.indexOf('\n', begin);
            // Each END is looked for once, however many lines say BEGIN before it.
            foot = foot < line ? text.indexOf(END, line) : foot;
            if (line < 0 || foot < 0) {
                break;
            }
            String head = text.substring(begin + BEGIN.length(), line).stripTrailing();
            begin = text.indexOf(BEGIN, line);
            boolean next = begin >= 0 && begin < foot;
            if (next || !head.endsWith(DASHES) || !text.startsWith(head, foot + END.length())) {
                continue;
            }
            String body = text.substring(line, foot);
            end = foot + END.length() + head.length();
            // Blocks with headers are skipped: those of RFC 1421, for encrypted keys.
            if (head.equals("CERTIFICATE" + DASHES) && !body.contains(":")) {
                String wrong = certificate(body);
                if (wrong.isEmpty()) {
                    return "";
                }
                problem = problem.isEmpty() ? wrong : problem;
            }
        }
        if (!problem.isEmpty()) {
            return UNUSABLE + "failed to parse certificate: " + problem;
        }
        return UNUSABLE
                + (end < text.stripTrailing().length()
                        ? "unable to parse bytes as PEM block"
                        : "no valid certificate authority data seen");
    }

    private static String certificate(String base64) {
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(base64);
            CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
            return "";
        } catch (CertificateException | IllegalArgumentException e) {
            return "x509: malformed certificate";
        }
    }

    /** A bundle as the messages of the real server show it. */
    public static String shown(String encoded) {
        StringBuilder shown = new StringBuilder("[]byte{");
        for (byte each : Base64.getDecoder().decode(encoded)) {
            shown.append(shown.charAt(shown.length() - 1) == '{' ? "" : ", ")
                    .append("0x")
                    .append(Integer.toHexString(each & 0xff));
        }
        return shown.append('}').toString();
    }
}
