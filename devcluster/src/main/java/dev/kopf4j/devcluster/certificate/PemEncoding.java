package dev.kopf4j.devcluster.certificate;

import java.util.Base64;

/** Keys and certificates as text. Pure. */
public final class PemEncoding {
    private PemEncoding() {}

    static String write(String type, byte[] der) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    }

    /** The first block of a type; {@link IllegalArgumentException} if there is none. */
    public static byte[] read(String text, String type) {
        String begin = "-----BEGIN " + type + "-----";
        int start = text.indexOf(begin);
        int end = text.indexOf("-----END " + type + "-----");
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("it has no " + type);
        }
        return Base64.getMimeDecoder().decode(text.substring(start + begin.length(), end));
    }
}
