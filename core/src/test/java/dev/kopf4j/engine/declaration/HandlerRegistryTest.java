package dev.kopf4j.engine.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.json.FieldPath;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link HandlerRegistry}. */
class HandlerRegistryTest {
    @ParameterizedTest
    @CsvSource({
        "metadata.managedFields, true",
        "metadata.managedFields.x, true",
        "metadata, true",
        "metadata.labels, false",
        "spec.managedFields, false",
        "'', false"
    })
    void knowsWhetherAHandlerLooksAtAField(String field, boolean looks) {
        DeclaredOptions.Update options = new DeclaredOptions.Update();
        var _ = options.field(field);
        HandlerDeclaration declaration = options.declare(HandlerKind.UPDATE, ResourceSelector.of("kex"), "fn");
        HandlerRegistry registry =
                new HandlerRegistry(List.of(new RegisteredHandler(declaration, "fn", "fn", context -> null)));
        assertThat(registry.looksAt(FieldPath.of("metadata", "managedFields"))).isEqualTo(looks);
    }
}
