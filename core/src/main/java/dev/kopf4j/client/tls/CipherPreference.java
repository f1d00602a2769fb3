package dev.kopf4j.client.tls;

import java.util.Arrays;
import java.util.Comparator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * The order in which cipher suites are offered to a server. Which ones they are, the JDK and its security properties
 * say.
 *
 * <p>The JVM's second compiler lets the processor do AES. Without that compiler ({@code -XX:TieredStopAtLevel=1}),
 * AES-GCM is plain code, and takes four times the processor time of ChaCha20-Poly1305, which is as strong. API servers
 * take the one that is offered first.
 *
 * @param secondCompiler whether this JVM has it
 */
public record CipherPreference(boolean secondCompiler) {
    /** By what the JVM says of itself. */
    public static CipherPreference ofThisJvm() {
        String modes = System.getProperty("java.vm.info", "");
        return new CipherPreference(!modes.contains("emulated-client") && !modes.contains("interpreted"));
    }

    /** The default parameters of a context, with its suites in this order. */
    public SSLParameters applied(SSLContext context) {
        SSLParameters parameters = context.getDefaultSSLParameters();
        if (!secondCompiler) {
            parameters.setCipherSuites(quickFirst(parameters.getCipherSuites()));
        }
        return parameters;
    }

    private static String[] quickFirst(String... suites) {
        return Arrays.stream(suites)
                .sorted(Comparator.comparing(suite -> !isQuick(suite)))
                .toArray(String[]::new);
    }

    // Not with the slow exchange of keys that few servers know.
    private static boolean isQuick(String suite) {
        return suite.contains("CHACHA20") && !suite.startsWith("TLS_DHE_");
    }
}
