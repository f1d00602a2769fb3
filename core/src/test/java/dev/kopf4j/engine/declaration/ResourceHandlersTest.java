package dev.kopf4j.engine.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.ResourceSelector;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@link ResourceHandlers}. */
class ResourceHandlersTest {
    private static final Set<HandlerKind> OF_CHANGES =
            Set.of(HandlerKind.RESUME, HandlerKind.CREATE, HandlerKind.UPDATE, HandlerKind.DELETE, HandlerKind.FIELD);

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"VALIDATE", "MUTATE"})
    void onlyHandlersOfChangesNeedNotSeeEachState(HandlerKind kind) {
        assertThat(ResourceHandlers.of(List.of(handler(kind))).onlyChanges()).isEqualTo(OF_CHANGES.contains(kind));
    }

    private static RegisteredHandler handler(HandlerKind kind) {
        HandlerDeclaration declaration = new DeclaredOptions.Create().declare(kind, ResourceSelector.of("kex"), "fn");
        return new RegisteredHandler(declaration, "fn", "fn", context -> null);
    }
}
