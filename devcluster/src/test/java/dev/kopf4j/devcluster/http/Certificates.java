package dev.kopf4j.devcluster.http;

import dev.kopf4j.certificate.KeyStores;
import dev.kopf4j.certificate.PemReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** What a client makes of the certificates in a kubeconfig. */
final class Certificates {
    private Certificates() {}

    private static String data(String kubeconfig, String key) {
        Matcher found = Pattern.compile(key + ": (\\S+)").matcher(kubeconfig);
        if (!found.find()) {
            throw new AssertionError(key + " is missing in " + kubeconfig);
        }
        return new String(Base64.getDecoder().decode(found.group(1)), StandardCharsets.US_ASCII);
    }

    static SSLContext context(String kubeconfig) throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                KeyStores.showing(
                        "client",
                        PemReader.certificates("client", data(kubeconfig, "client-certificate-data")),
                        PemReader.privateKey("client", data(kubeconfig, "client-key-data"))),
                KeyStores.trusting(PemReader.certificates("ca", data(kubeconfig, "certificate-authority-data")))
                        .getTrustManagers(),
                null);
        return context;
    }
}
