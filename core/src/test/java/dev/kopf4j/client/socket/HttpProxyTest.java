package dev.kopf4j.client.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.ConnectionInfo;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("G09")
class HttpProxyTest {
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "HTTPS_PROXY", "http://env:3128", "http_proxy", "plain", "NO_PROXY", "*.star.io, .corp.com,10.0.0.1");

    private static ConnectionInfo.Builder to(String server) {
        return ConnectionInfo.builder(server);
    }

    @Test
    void connectsDirectlyByDefault() {
        assertThat(HttpProxy.chosen(to("https://a.com").build(), false, ENVIRONMENT))
                .isNull();
    }

    @Test
    void takesTheProxyOfTheCredentialFirst() {
        ConnectionInfo info =
                to("https://a.com").proxyUrl("http://own:1").trustEnv(true).build();
        assertThat(HttpProxy.chosen(info, true, ENVIRONMENT)).isEqualTo(URI.create("http://own:1"));
    }

    @Test
    void takesTheProxyOfTheEnvironmentIfTrusted() {
        assertThat(HttpProxy.chosen(to("https://a.com").trustEnv(true).build(), false, ENVIRONMENT))
                .isEqualTo(URI.create("http://env:3128"));
        assertThat(HttpProxy.chosen(to("http://a.com").build(), true, ENVIRONMENT))
                .isEqualTo(URI.create("http://plain"));
        assertThat(HttpProxy.chosen(to("https://a.com").build(), true, Map.of()))
                .isNull();
    }

    @Test
    void itsUrlForOtherClientsHasAPort() {
        ConnectionInfo info = to("https://a.com").trustEnv(true).build();
        assertThat(HttpProxy.chosen(info, ENVIRONMENT)).isEqualTo(URI.create("http://env:3128"));
        assertThat(HttpProxy.chosen(info, Map.of("https_proxy", "u:p%40@env")))
                .isEqualTo(URI.create("http://u:p%40@env:80"));
        assertThat(HttpProxy.chosen(to("https://a.com").build(), ENVIRONMENT)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://localhost",
                "https://127.0.0.1:6443",
                "https://[::1]",
                "https://a.star.io",
                "https://corp.com",
                "https://api.corp.com:6443",
                "https://10.0.0.1"
            })
    void sparesWhatTheEnvironmentExcludes(String server) {
        assertThat(HttpProxy.chosen(to(server).build(), true, ENVIRONMENT)).isNull();
    }

    /** As Go and curl read it, and operators of OLM are given it. */
    @ParameterizedTest
    @CsvSource({
        "https://10.96.0.1, 10.96.0.0/12, true",
        "https://10.112.0.1, 10.96.0.0/12, false",
        "https://10.96.0.1, 10.96.0.0/x, false",
        "https://10.96.0.1:6443, 10.96.0.1:6443, true",
        "https://10.96.0.1, 10.96.0.1:443, true",
        "https://10.96.0.1, 10.96.0.1:6443, false",
        "https://api.corp.com:6443, .corp.com:6443, true",
        "https://API.Corp.com, corp.COM, true",
        "https://[fd00::1]:6443, fd00::1, true",
        "https://[fd00::1]:6443, [fd00::1], true",
        "https://[fd00::1]:6443, [fd00:0::1]:6443, true",
        "https://[fd00::1]:6443, [fd00::1]:443, false",
        "https://[fd00::1], fd00::/8, true",
        "https://[fd00::1], fe80::/10, false",
        "https://[fd00::1], 10.0.0.0/8, false",
    })
    void readsRangesPortsAndIpv6(String server, String excluded, boolean spared) {
        Map<String, String> environment = Map.of("HTTPS_PROXY", "http://env:3128", "NO_PROXY", excluded);
        assertThat(HttpProxy.chosen(to(server).build(), true, environment) == null)
                .isEqualTo(spared);
    }

    /** Kopf asks for it by its name, so that the name is what is excluded. */
    @Test
    void inAPodTheServersNameExcludesItsAddress() {
        Map<String, String> pod =
                Map.of("HTTPS_PROXY", "http://env:3128", "NO_PROXY", ".svc", "KUBERNETES_SERVICE_HOST", "10.96.0.1");
        assertThat(HttpProxy.chosen(to("https://10.96.0.1:443").build(), true, pod))
                .isNull();
        assertThat(HttpProxy.chosen(to("https://10.96.0.2").build(), true, pod)).isNotNull();
    }

    @Test
    void doesNotSpareMereLookalikes() {
        assertThat(HttpProxy.chosen(to("https://notcorp.com").build(), true, ENVIRONMENT))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "socks5://user:hush@p:1",
                "https://user:hush@p:1",
                "http:///nothing",
                "http://user:hu sh@p:1",
                "user:hush|@p:1",
                "http://user:hush/x@p:1",
                "http://hu:12#sh@p:1",
                "http://hu:12?sh@p:1",
                "hu:12/sh@p:1",
                "hu:/sh@p:1",
                "socks5://hu:12#sh@p:1"
            })
    void refusesOtherKindsWithoutShowingPasswords(String url) {
        assertThatThrownBy(
                        () -> HttpProxy.chosen(to("https://a.com").proxyUrl(url).build(), false, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://host:port")
                .hasMessageNotContaining("hu")
                .hasNoCause();
    }
}
