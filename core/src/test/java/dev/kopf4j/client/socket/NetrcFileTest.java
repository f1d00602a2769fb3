package dev.kopf4j.client.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.socket.NetrcFile.NetrcTokens;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link NetrcFile} and {@link NetrcTokens}, and what of it proxies get. */
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
        assertThat(netrc.find("other.com")).contains(new NetrcFile.Machine(null, "all", "words"));
        assertThat(netrc.find("macro.com")).contains(new NetrcFile.Machine(null, "all", "words"));
        assertThat(netrc).asString().doesNotContain("hush").doesNotContain("s3:");
    }

    @Test
    void theLastEntryOfAHostCountsAndTheDefaultLast() {
        NetrcFile netrc = NetrcFile.parse("""
                default login all password words
                machine a.com login first password 1
                machine A.com user "you and me" password "tw\\"o #2"   # both
                machine b.com account acc password #3
                machine nobody.com password only
                machine empty.com login x""");
        assertThat(netrc.find("a.com")).contains(new NetrcFile.Machine("A.com", "you and me", "tw\"o #2"));
        assertThat(netrc.find("b.com")).contains(new NetrcFile.Machine("b.com", "acc", "#3"));
        assertThat(netrc.find("nobody.com")).isEmpty();
        assertThat(netrc.find("empty.com")).contains(new NetrcFile.Machine("empty.com", "x", ""));
        assertThat(netrc.find("other.com")).contains(new NetrcFile.Machine(null, "all", "words"));
        assertThat(NetrcFile.parse("").find("a.com")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"machine", "machine a login", "machine a login b c d", "password x", "default login"})
    void otherFormsAreRefusedWithoutTheirContent(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NetrcFile.parse(text))
                .withMessage("line 1 has another form than 'machine HOST login NAME password PASSWORD'");
    }

    @Test
    void theEnvironmentNamesTheFileOrItIsInTheHomeFolder(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("passwords"), TEXT);
        assertThat(NetrcFile.of(Map.of("NETRC", file.toString())).machines()).hasSize(3);
        assertThat(NetrcFile.of(Map.of("NETRC", folder.resolve("missing").toString())))
                .isEqualTo(NetrcFile.NONE);
        assertThat(NetrcFile.of(Map.of("HOME", folder.toString()))).isEqualTo(NetrcFile.NONE);
        Files.move(file, folder.resolve(".netrc"));
        assertThat(NetrcFile.of(Map.of("HOME", folder.toString())).machines()).hasSize(3);
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
            assertThat(HttpProxy.chosen(info, true, environment)).isEqualTo(URI.create(completed));
        });
    }
}
