package dev.kopf4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("G05")
class ConnectionInfoTest {
    private static final String SERVER = "https://127.0.0.1:6443";

    @Test
    void dropsTheTrailingSlash() {
        assertThat(ConnectionInfo.builder(SERVER + "/").build().server()).isEqualTo(SERVER);
    }

    @Test
    void refusesWhatIsNoServer() {
        for (String wrong : new String[] {"localhost", "ftp://host", "https://", "host:6443", ""}) {
            assertThatThrownBy(() -> ConnectionInfo.builder(wrong).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong);
        }
    }

    @Test
    void refusesAPathAndDataForTheSame() {
        assertThatThrownBy(() ->
                        ConnectionInfo.builder(SERVER).caPath("/a").caData("b").build())
                .hasMessageContaining("certificate authority")
                .hasMessageContaining("/a");
        assertThatThrownBy(() -> ConnectionInfo.builder(SERVER)
                        .certificatePath("/a")
                        .certificateData("b")
                        .build())
                .hasMessageContaining("client certificate");
        assertThatThrownBy(() -> ConnectionInfo.builder(SERVER)
                        .privateKeyPath("/a")
                        .privateKeyData("b")
                        .build())
                .hasMessageContaining("private key");
    }

    @Test
    @Tag("L42")
    void resolvesTheHomeFolderInEveryPath() {
        String home = System.getProperty("user.home");
        ConnectionInfo info = ConnectionInfo.builder(SERVER)
                .caPath("~/ca")
                .tokenPath("~/token")
                .certificatePath("~/cert")
                .privateKeyPath("~")
                .build();
        assertThat(info.caPath()).isEqualTo(home + "/ca");
        assertThat(info.tokenPath()).isEqualTo(home + "/token");
        assertThat(info.certificatePath()).isEqualTo(home + "/cert");
        assertThat(info.privateKeyPath()).isEqualTo(home);
    }

    @Test
    void neverShowsSecrets() {
        String text = ConnectionInfo.builder(SERVER)
                .username("user")
                .password("hush1")
                .token("hush2")
                .privateKeyData("hush3")
                .proxyUrl("http://u:hush4@p")
                .build()
                .toString();
        assertThat(text).contains(SERVER, "user").doesNotContain("hush");
    }

    @Test
    void changesThePriorityOnly() {
        ConnectionInfo info = ConnectionInfo.builder(SERVER).token("t").build();
        assertThat(info.withPriority(7))
                .isEqualTo(ConnectionInfo.builder(SERVER).token("t").priority(7).build());
    }
}
