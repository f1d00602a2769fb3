import DefaultTheme from 'vitepress/theme-without-fonts'
import './kopf4j.css'

export default DefaultTheme
