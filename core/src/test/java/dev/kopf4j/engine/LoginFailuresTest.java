package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kopf4j.LoginException;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures of logins have a type that users know, wherever they meet them. */
@Tag("G14")
class LoginFailuresTest {
    @TempDir
    Path folder;

    private OperatorBuilder operator;

    @BeforeEach
    void writeUselessKubeconfig() throws IOException {
        Path file = Files.writeString(folder.resolve("config"), "current-context: nowhere");
        operator = Operator.builder().clusterwide().kubeconfig(file).onCreate("kex", "fn", context -> null);
    }

    @Test
    void theyAreTheCauseOfTheOperatorsEnd() {
        OperatorException end = catchThrowableOfType(
                OperatorException.class, () -> operator.build().run());
        assertThat(end)
                .hasMessageStartingWith("The operator cannot start: ")
                .cause()
                .isInstanceOf(LoginException.class);
    }

    @Test
    void loginHandlersMayCatchThem() {
        List<String> caught = new ArrayList<>();
        operator.onLogin("own", h -> h.retries(1), context -> {
            try {
                return context.logins().kubeconfig();
            } catch (LoginException e) {
                caught.add(String.valueOf(e.getMessage()));
                throw e;
            }
        });
        OperatorException end = catchThrowableOfType(
                OperatorException.class, () -> operator.build().run());
        assertThat(caught).singleElement().asString().contains("nowhere");
        assertThat(end).cause().isInstanceOf(LoginException.class);
    }
}
