package dev.kopf4j.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link NetrcFile}, and what of it gets into requests. */
@Tag("G09")
class NetrcFileTest {
    private static final String TEXT = String.join(
            "\n",
            "# of no interest",
            "machine a.com login alice password s3:cr@t",
            "macdef init",
            "  machine macro.com login m password m",
            "",
            "machine b.com",
            "  account any",
            "  login bob",
            "  password hush macdef other",
            "  machine other.com login m password m",
            "",
            "default login all password words");

    @Test
    void hostsHaveTheirOwnEntriesAndOthersTheDefault() {
        NetrcFile netrc = NetrcFile.parse(TEXT);
        assertThat(netrc.find("a.com")).contains(new NetrcFile.Machine("a.com", "alice", "s3:cr@t"));
        assertThat(netrc.find("b.com")).contains(new NetrcFile.Machine("b.com", "bob", "hush"));
        assertThat(netrc.find("other.com")).contains(new NetrcFile.Machine("", "all", "words"));
        assertThat(netrc.find("macro.com")).contains(new NetrcFile.Machine("", "all", "words"));
        assertThat(netrc).asString().doesNotContain("hush").doesNotContain("s3:");
    }

    @Test
    void damagedFilesHaveWhatTheyHave() {
        assertThat(NetrcFile.parse("").find("a.com")).isEmpty();
        assertThat(NetrcFile.parse("login x machine").machines()).hasSize(1);
        assertThat(NetrcFile.parse("password x").machines()).isEmpty();
        assertThat(NetrcFile.parse("machine a.com login x").find("a.com"))
                .contains(new NetrcFile.Machine("a.com", "x", ""));
    }

    @Test
    void theEnvironmentNamesTheFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("passwords"), TEXT);
        assertThat(NetrcFile.of(Map.of("NETRC", file.toString())).machines()).hasSize(3);
        assertThat(NetrcFile.of(Map.of("NETRC", folder.resolve("missing").toString())))
                .isEqualTo(NetrcFile.NONE);
    }

    @Test
    void proxiesOfTheEnvironmentGetTheirPasswords(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("passwords"), TEXT);
        ConnectionInfo info = ConnectionInfo.builder("https://server").build();
        Map<String, String> expected = Map.of(
                "http://a.com:3128", "http://alice:s3%3Acr%40t@a.com:3128",
                "http://x:y@a.com:3128", "http://x:y@a.com:3128",
                "http://other:1", "http://all:words@other:1");
        expected.forEach((proxy, completed) -> {
            Map<String, String> environment = Map.of("HTTPS_PROXY", proxy, "NETRC", file.toString());
            assertThat(ProxySelection.of(info, true, environment).proxy()).isEqualTo(URI.create(completed));
        });
    }

    private static Optional<String> header(ConnectionInfo.Builder info) {
        return new AuthorizationHeader(new SystemPlatform(), info.build(), NetrcFile.parse(TEXT)).header();
    }

    private static ConnectionInfo.Builder to(String server, @Nullable String token) {
        return ConnectionInfo.builder(server).token(token);
    }

    @Test
    void serversGetTheirPasswordsIfThereIsNoOtherCredential() {
        assertThat(header(to("https://b.com:6443", null))).contains(AuthorizationHeader.basic("bob", "hush"));
        assertThat(header(to("https://b.com:6443", "t"))).contains("Bearer t");
        assertThat(header(to("https://b.com", null).username("me").password("mine")))
                .contains(AuthorizationHeader.basic("me", "mine"));
        assertThat(header(to("https://b.com", null).username("me"))).isEmpty();
        assertThat(header(to("https://b.com", null).scheme("Digest"))).contains("Digest");
    }
}
