package dev.kopf4j.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.SettingValue;
import dev.kopf4j.settings.SettingTable.SettingGroup;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds that the accessors that the build makes, and their Javadoc, are those of the table. */
class SettingAccessorsTest {
    /** What the build has made of the table: {@code WriteOperatorSettings}. */
    private static String written() throws IOException, URISyntaxException {
        Path classes = Path.of(OperatorSettings.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return Files.readString(classes.resolveSibling(
                Path.of("generated-sources", "settings", "dev", "kopf4j", "OperatorSettings.java")));
    }

    /** The build reads the table as text: what it has read is what the table says when it runs. */
    @Test
    void theJavadocOfEachAccessorIsThatOfTheTable() throws IOException, URISyntaxException {
        String written = written();
        for (SettingRow<?> setting : SettingTable.ALL) {
            String group = setting.name().substring(0, setting.name().indexOf('.'));
            String type = SettingTable.GROUPS.stream()
                    .filter(each -> each.name().equals(group))
                    .map(SettingGroup::type)
                    .findFirst()
                    .orElseThrow();
            String accessor = setting.name().substring(group.length() + 1);
            String shown = setting.defaultText().equals("none") ? "null" : "{@code " + setting.defaultText() + "}";
            assertThat(written.substring(written.indexOf("public static final class " + type + " ")))
                    .containsPattern(Pattern.quote("/** " + setting.description() + " Default: " + shown + ". */")
                            + "\\s+public \\S+( \\S+)? " + accessor + "\\(\\)");
        }
        assertThat(written)
                .contains(SettingTable.GROUPS.stream()
                        .map(group -> "/** " + group.description() + " */")
                        .toList());
    }

    @Test
    void eachGroupOfTheTableIsNamed() {
        assertThat(SettingTable.ALL.stream()
                        .map(setting ->
                                setting.name().substring(0, setting.name().indexOf('.')))
                        .distinct())
                .isEqualTo(SettingTable.GROUPS.stream().map(SettingGroup::name).toList());
    }

    /** What an accessor says is what is found under the setting's name. */
    @Test
    void eachAccessorIsThatOfItsName() throws ReflectiveOperationException {
        OperatorSettings settings = new OperatorSettings();
        for (SettingValue value : settings.values()) {
            String[] name = value.setting().name().split("\\.", -1);
            Object group = OperatorSettings.class.getMethod(name[0]).invoke(settings);
            Object current = group.getClass().getMethod(name[1]).invoke(group);
            Method setter = Arrays.stream(group.getClass().getMethods())
                    .filter(method -> method.getName().equals(name[1]) && method.getParameterCount() == 1)
                    .findFirst()
                    .orElseThrow();
            settings.from("the accessor", _ -> invoke(setter, group, current));
        }
        assertThat(settings.values()).hasSizeGreaterThan(50).allSatisfy(value -> {
            assertThat(value.origin()).as(value.setting().name()).isEqualTo("the accessor");
            assertThat(value.text()).isEqualTo(value.setting().defaultText());
        });
    }

    private static void invoke(Method method, Object target, Object argument) {
        try {
            method.invoke(target, argument);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method.toString(), e);
        }
    }
}
