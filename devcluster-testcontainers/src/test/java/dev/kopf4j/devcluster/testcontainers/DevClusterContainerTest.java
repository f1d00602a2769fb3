package dev.kopf4j.devcluster.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;

class DevClusterContainerTest {
    private static final String VARIABLE = "KOPF4J_DEVCLUSTER_IMAGE";

    @Test
    void exposesThePortOfTheServer() {
        try (DevClusterContainer cluster = new DevClusterContainer("kopf4j-devcluster:1")) {
            assertThat(cluster.getExposedPorts()).containsExactly(6443);
            assertThat(cluster.withArguments("--workloads", "--rbac").getCommandParts())
                    .containsExactly("--workloads", "--rbac");
            assertThat(cluster.withArguments("--rbac").getCommandParts()).containsExactly("--rbac");
        }
    }

    @Test
    void refusesWhatCannotWork() {
        try (DevClusterContainer cluster = new DevClusterContainer("kopf4j-devcluster:1")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.withArguments("--port", "7000"))
                    .withMessageContaining("--port");
            assertThatIllegalStateException()
                    .isThrownBy(cluster::kubeconfig)
                    .withMessageContaining("no kubeconfig before start()");
        }
    }

    /** On demand, where there is Docker, with the image that the variable names. */
    @Test
    void clientsReachTheClusterByItsKubeconfig() throws Exception {
        String image = System.getenv(VARIABLE);
        if (image == null) {
            skip("SKIPPED: " + VARIABLE + " names no image of the dev cluster; set it to run this test with Docker");
        }
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            skip("SKIPPED: Docker does not answer; start it to run this test with the image " + image);
        }
        try (DevClusterContainer cluster =
                new DevClusterContainer(String.valueOf(image)).withArguments("--name", "kubernetes")) {
            cluster.start();
            String kubeconfig = cluster.kubeconfig();
            String server = value(kubeconfig, "server");
            assertThat(server).isEqualTo("https://" + cluster.getHost() + ":" + cluster.getMappedPort(6443));
            HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/api/v1/namespaces/default"))
                    .header("Authorization", "Bearer " + value(kubeconfig, "token"))
                    .build();
            HttpResponse<String> response = trusting(value(kubeconfig, "certificate-authority-data"))
                    .send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            assertThat(response.body()).contains("\"Namespace\"");
        }
    }

    private static void skip(String message) {
        System.err.println(message);
        Assumptions.abort(message);
    }

    private static String value(String kubeconfig, String key) {
        Matcher found = Pattern.compile("(?m)^\\s*" + key + ": (\\S+)$").matcher(kubeconfig);
        assertThat(found.find()).as("%s in %s", key, kubeconfig).isTrue();
        return found.group(1);
    }

    private static HttpClient trusting(String authority) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "devcluster",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(
                                new ByteArrayInputStream(Base64.getDecoder().decode(authority))));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }
}
